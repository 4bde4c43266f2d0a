using System;
using System.Globalization;
using System.IO;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>
/// Plays a case of tests/scenarios/sender: one line per event, <c>time-in-ms verb arguments</c>, and lines that begin with <c>=</c> and state what holds then.
/// The sender decides itself what it sends. The words are explained in tests/scenarios/README.md.
/// </summary>
/// <param name="open">Makes the sender, once its stack is chosen.</param>
/// <param name="onStatement">Gets what was found of each statement.</param>
sealed class SenderCase(Func<CaseStack, ICaseSender> open, Action<CaseStatement> onStatement)
{
    readonly CaseStack _stack = new();
    ICaseSender? _sender;

    ICaseSender Sender => _sender ??= open(_stack);

    /// <summary>Plays a whole file.</summary>
    public void Play(string path)
    {
        string[] lines = File.ReadAllLines(path);
        for (int i = 0; i < lines.Length; i++)
        {
            string[] words = lines[i].Split('#')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            string place = $"{Path.GetFileName(path)}:{i + 1}: {lines[i].Trim()}";
            if (words.Length == 0)
            {
                continue;
            }

            if (words[0][0] == '=')
            {
                (bool? holds, object? found) = Compare(words[1], words[2..]);
                onStatement(new CaseStatement(place, holds, found, KindOf(words[0])));
            }
            else
            {
                Do(double.Parse(words[0], CultureInfo.InvariantCulture), words[1], words[2..], place);
            }
        }
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
            case "acks": AckSeries.Acks(Sender, arguments); break;
            case "rounds": AckSeries.Rounds(Sender, arguments); break;
            case "loss": AckSeries.Lose(Sender); break;
            case "hold": Sender.Hold(isHeld: true); break;
            case "release": Sender.Hold(isHeld: false); break;
            case "wait": break;
            default: throw new InvalidDataException($"{place}: unknown verb '{verb}'");
        }
    }

    (bool? Holds, object? Found) Compare(string name, string[] expected)
    {
        if (name is "sent" or "lost" or "sacked")
        {
            string stated = SegmentList.Normalize(expected);
            string? segments = name is "sent" ? Sender.TakeSent(stated) : Sender.Marked(name);
            return (segments is null ? null : string.Equals(stated, segments, StringComparison.Ordinal), segments);
        }

        return Sender.State(name) switch
        {
            null => (null, null),
            double number => (Equals(expected[0], number), number),
            object word => (string.Equals(string.Join(' ', expected), (string)word, StringComparison.Ordinal), word),
        };
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

    static StatementKind KindOf(string mark) => mark switch
    {
        "=" => StatementKind.Rule,
        "=!" => StatementKind.Exception,
        "=m" => StatementKind.ModelOnly,
        _ => throw new InvalidDataException($"unknown mark '{mark}'"),
    };

    static double Number(string word) => double.Parse(word, CultureInfo.InvariantCulture);
}

/// <summary>A statement of a case, and what was found.</summary>
/// <param name="Place">File, line and words.</param>
/// <param name="Holds">Whether it holds; null where nobody can see it.</param>
/// <param name="Found">What was found.</param>
/// <param name="Kind">Whom it is about.</param>
sealed record CaseStatement(string Place, bool? Holds, object? Found, StatementKind Kind);

/// <summary>Of whom a statement holds.</summary>
enum StatementKind
{
    /// <summary>Of what the case is after, and of the reference sender.</summary>
    Rule,

    /// <summary>Of what the case is after; the reference sender does otherwise.</summary>
    Exception,

    /// <summary>Of the reference sender; a kernel does otherwise.</summary>
    ModelOnly,
}
