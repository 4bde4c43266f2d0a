using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Scenarios;

/// <summary>
/// Plays a scenario of tests/scenarios: one line per event, <c>time-in-ms verb arguments</c>, and lines that begin with <c>=</c> and
/// state what holds then. The words are explained in tests/scenarios/README.md.
/// </summary>
sealed class Scenario(uint firstSequence)
{
    readonly ScenarioSender _sender = new(firstSequence);

    /// <summary>Plays a whole file.</summary>
    /// <returns>How many expectations it held.</returns>
    public int Play(string path)
    {
        int expectations = 0;
        string[] lines = File.ReadAllLines(path);
        for (int i = 0; i < lines.Length; i++)
        {
            string[] words = lines[i].Split('#')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words.Length == 0)
            {
                continue;
            }

            if (words[0] is "=")
            {
                expectations++;
                Expect(string.Join(' ', words[2..]), State(words[1]), $"{Path.GetFileName(path)}:{i + 1}: {lines[i].Trim()}");
            }
            else
            {
                _sender.At((long)(double.Parse(words[0], CultureInfo.InvariantCulture) * Ms));
                Do(words[1], words[2..]);
            }
        }

        return expectations;
    }

    static void Expect(string expected, string found, string line) =>
        Assert.True(string.Equals(expected, found, StringComparison.Ordinal), $"{line}, found {found}");

    void Do(string verb, string[] arguments)
    {
        switch (verb)
        {
            case "rtt": _sender.OnRttSample(long.Parse(arguments[0], CultureInfo.InvariantCulture) * Ms); break;
            case "ack-delay": _sender.MaxAckDelayNanos = long.Parse(arguments[0], CultureInfo.InvariantCulture) * Ms; break;
            case "send": Array.ForEach([.. Numbers(arguments)], _sender.Send); break;
            case "probe": _sender.Probe(Numbers(arguments).Single()); break;
            case "timer": _sender.DetectLosses(); break;
            case "timeout": _sender.Timeout(); break;
            case "ack": Ack(arguments); break;
            default: throw new InvalidDataException($"unknown verb '{verb}'");
        }
    }

    // ack NEXT [sack N-M …] [dsack N] [echo MS]
    void Ack(string[] arguments)
    {
        string[] After(string word) =>
        [
            .. arguments.SkipWhile(argument => !string.Equals(argument, word, StringComparison.Ordinal)).Skip(1)
                .TakeWhile(argument => char.IsDigit(argument[0])),
        ];
        int? First(string word) => After(word) is [string number, ..] ? int.Parse(number, CultureInfo.InvariantCulture) : null;
        _sender.Ack(int.Parse(arguments[0], CultureInfo.InvariantCulture), [.. Numbers(After("sack"))], First("dsack"), First("echo"));
    }

    string State(string name) => name switch
    {
        "lost" => _sender.Lost.Any() ? string.Join(' ', _sender.Lost) : "none",
        "timer" => _sender.Timer,
        "window" => (_sender.ReoWndNanos / (double)Ms).ToString(CultureInfo.InvariantCulture),
        "multiplier" => _sender.ReoWndMult.ToString(CultureInfo.InvariantCulture),
        "persist" => _sender.ReoWndPersist.ToString(CultureInfo.InvariantCulture),
        "reordering" => _sender.ReorderingSeen ? "seen" : "none",
        "recovery" => _sender.InRecovery ? "yes" : "no",
        "reductions" => _sender.Reductions.ToString(CultureInfo.InvariantCulture),
        "probe" => _sender.MayProbe ? "allowed" : "held",
        "tlp" => _sender.LastTlpOutcome.ToString(),
        _ => throw new InvalidDataException($"unknown state '{name}'"),
    };

    static IEnumerable<int> Numbers(IEnumerable<string> words)
    {
        foreach (string word in words)
        {
            string[] ends = word.Split('-');
            int first = int.Parse(ends[0], CultureInfo.InvariantCulture);
            for (int number = first; number <= int.Parse(ends[^1], CultureInfo.InvariantCulture); number++)
            {
                yield return number;
            }
        }
    }
}
