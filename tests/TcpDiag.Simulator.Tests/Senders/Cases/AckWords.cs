using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>
/// An acknowledgment as a case writes it: <c>3 dsack 1 sack 5-6 8 echo 0 window 4 ece</c>. Positions count segments from 1 and may be fractions.
/// </summary>
sealed class AckWords
{
    /// <summary>The segment expected next.</summary>
    public double Next { get; private init; }

    /// <summary>Blocks in the order of the header, a DSACK first: where each begins and ends.</summary>
    public List<(double Left, double Right)> Blocks { get; } = [];

    /// <summary>TSecr: when the segment was sent whose timestamp is echoed, in ms.</summary>
    public long? EchoMs { get; private set; }

    /// <summary>The receive window in segments from now on.</summary>
    public double? Window { get; private set; }

    /// <summary>ECE.</summary>
    public bool HasEcnEcho { get; private set; }

    public static AckWords Of(double next) => new() { Next = next };

    public static AckWords Parse(string[] words)
    {
        AckWords ack = Of(Number(words[0]));
        string key = string.Empty;
        foreach (string word in words.AsSpan(1))
        {
            if (char.IsLetter(word[0]))
            {
                key = word;
                ack.HasEcnEcho |= word is "ece";
                continue;
            }

            ack.Take(key, word);
        }

        return ack;
    }

    void Take(string key, string word)
    {
        switch (key)
        {
            case "dsack" or "sack": Blocks.Add(Block(word)); break;
            case "echo": EchoMs = long.Parse(word, CultureInfo.InvariantCulture); break;
            case "window": Window = Number(word); break;
            default: throw new InvalidDataException($"unknown word '{key}' of an acknowledgment");
        }
    }

    // 3 and 3-5 are whole segments; 3.5..5 is from the middle of 3 up to the begin of 5.
    static (double Left, double Right) Block(string word)
    {
        if (word.Split("..") is [string left, string right])
        {
            return (Number(left), Number(right));
        }

        (int from, int to) = SegmentList.Range(word);
        return (from, to + 1);
    }

    static double Number(string word) => double.Parse(word, CultureInfo.InvariantCulture);
}
