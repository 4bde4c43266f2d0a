using System;
using System.Globalization;
using System.IO;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>
/// Plays a case of tests/scenarios/sender: one line per event, <c>time-in-ms verb arguments</c>, and lines that begin with <c>=</c> and state what holds then.
/// The sender decides itself what it sends. The words are explained in tests/scenarios/README.md.
/// </summary>
sealed class SenderCase(uint first)
{
    readonly CaseStack _stack = new();
    CaseSender? _sender;

    CaseSender Sender => _sender ??= new CaseSender(_stack, first);

    /// <summary>Plays a whole file.</summary>
    /// <returns>How many expectations it held.</returns>
    public int Play(string path)
    {
        int expectations = 0;
        string[] lines = File.ReadAllLines(path);
        for (int i = 0; i < lines.Length; i++)
        {
            string[] words = lines[i].Split('#')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            string place = $"{Path.GetFileName(path)}:{i + 1}: {lines[i].Trim()}";
            if (words.Length == 0)
            {
                continue;
            }

            if (words[0] is "=" or "=!")
            {
                expectations++;
                Expect(words[1], words[2..], place, isException: words[0] is "=!");
            }
            else
            {
                Do(double.Parse(words[0], CultureInfo.InvariantCulture), words[1], words[2..], place);
            }
        }

        return expectations;
    }

    void Do(double ms, string verb, string[] arguments, string place)
    {
        if (verb is "stack" or "set")
        {
            Assert.True(_sender is null, $"{place}: the stack is chosen before anything happens");
            _stack.Set(verb, arguments);
            return;
        }

        Sender.At(ms);
        switch (verb)
        {
            case "rtt": Sender.OnHandshakeRtt(Number(arguments[0])); break;
            case "write": Sender.Write(arguments[0]); break;
            case "ack": Sender.Ack(AckWords.Parse(arguments)); break;
            case "acks": Sender.Acks(arguments); break;
            case "rounds": Sender.Rounds(arguments); break;
            case "loss": Sender.Lose(); break;
            case "hold": Sender.Hold(isHeld: true); break;
            case "release": Sender.Hold(isHeld: false); break;
            case "wait": break;
            default: throw new InvalidDataException($"{place}: unknown verb '{verb}'");
        }
    }

    // An exception is what the RFC would have and this sender does not do: once it holds, the case has to say so.
    void Expect(string name, string[] expected, string place, bool isException)
    {
        (bool holds, object found) = Compare(name, expected);
        Assert.True(holds != isException, string.Create(CultureInfo.InvariantCulture, $"{place}, found {found}"));
    }

    (bool Holds, object Found) Compare(string name, string[] expected)
    {
        if (name is "sent" or "lost" or "sacked")
        {
            string segments = name is "sent" ? Sender.TakeSent() : Sender.Marked(name);
            return (string.Equals(SegmentList.Normalize(expected), segments, StringComparison.Ordinal), segments);
        }

        object state = CaseState.Of(Sender, name);
        bool holds = state is double number ? Equals(expected[0], number) : string.Equals(string.Join(' ', expected), (string)state, StringComparison.Ordinal);
        return (holds, state);
    }

    // 70 is exact, ~70.51 is what rounds to it, and 69..71 is a range.
    static bool Equals(string expected, double found)
    {
        if (expected.Split("..") is [string low, string high])
        {
            return found >= Number(low) && found <= Number(high);
        }

        if (!expected.StartsWith('~'))
        {
            return double.TryParse(expected, CultureInfo.InvariantCulture, out double exact) && Math.Abs(exact - found) < 1e-9;
        }

        int point = expected.IndexOf('.', StringComparison.Ordinal);
        double unit = point < 0 ? 1 : Math.Pow(10, point + 1 - expected.Length);
        return Math.Abs(Number(expected[1..]) - found) <= unit / 2;
    }

    static double Number(string word) => double.Parse(word, CultureInfo.InvariantCulture);
}
