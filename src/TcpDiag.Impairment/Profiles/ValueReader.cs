using System;
using System.Globalization;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Profiles;

/// <summary>
/// Reads the colon-separated parts of an option's value, with their units. No part needs quoting in cmd.exe, PowerShell or sh.
/// </summary>
sealed class ValueReader(string where, string value)
{
    const decimal NanosecondsPerSecond = 1_000_000_000;
    const string ProbabilityText = "a probability such as 0.1pct, 1ppm, 1/1000 or 0.001";

    readonly string[] _parts = value.ToLowerInvariant().Split(':');
    int _next;

    public bool AtEnd => _next == _parts.Length;

    /// <summary>What has not been read yet.</summary>
    public string Rest => string.Join(':', _parts[_next..]);

    /// <summary>What has not been read yet, capitals as they were: the name of a file.</summary>
    public string RestAsWritten => string.Join(':', value.Split(':')[_next..]);

    /// <summary>Takes the next part if it is this word.</summary>
    public bool Accept(string word)
    {
        bool found = !AtEnd && string.Equals(_parts[_next], word, StringComparison.Ordinal);
        _next += found ? 1 : 0;
        return found;
    }

    /// <summary>Takes the next part, whatever it is.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public string ReadWord(string expected) => AtEnd ? throw Error(expected, "the end") : _parts[_next++];

    /// <summary>A probability, 0 … 1.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public double ReadProbability()
    {
        string word = ReadWord(ProbabilityText);
        decimal? probability = word switch
        {
            _ when word.EndsWith("pct", StringComparison.Ordinal) => Number(word[..^3], 0.01m),
            _ when word.EndsWith('%') => Number(word[..^1], 0.01m),
            _ when word.EndsWith("ppm", StringComparison.Ordinal) => Number(word[..^3], 0.000001m),
            _ when word.StartsWith("1/", StringComparison.Ordinal) => Number(word[2..], 1) is { } n and >= 1 ? 1 / n : null,
            _ => Number(word, 1),
        };
        return probability is >= 0 and <= 1 ? (double)probability : throw Error(ProbabilityText, word);
    }

    /// <summary>A probability, with <c>corr:30pct</c> behind it or later, or <c>every:100</c>.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public ChanceSettings ReadChance() =>
        Accept("every") ? new ChanceSettings(0, 0, ReadCount()) : new ChanceSettings(ReadProbability());

    /// <summary>The correlation at the end of a value, if there is one.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public ChanceSettings ReadCorrelation(ChanceSettings chance)
    {
        if (!Accept("corr"))
        {
            return chance;
        }

        double correlation = ReadProbability();
        return correlation < 1 && chance.Every == 0
            ? chance with { Correlation = correlation }
            : throw Error("a correlation below 100pct, and only with a probability", _parts[_next - 1]);
    }

    /// <summary>A duration in nanoseconds, 0 … one day.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public long ReadTime() => ParseTime(ReadWord("a time such as 5ms, 200us or 1.5s"));

    /// <summary>A duration in nanoseconds that is part of a part.</summary>
    /// <exception cref="ImpairmentException">It is not a duration.</exception>
    public long ParseTime(string word)
    {
        decimal? ns = Suffixed(word, ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", NanosecondsPerSecond), ("min", 60 * NanosecondsPerSecond));
        return ns is >= 0 and <= 86_400 * NanosecondsPerSecond ? (long)ns : throw Error("a time such as 5ms, 200us or 1.5s, at most one day", word);
    }

    /// <summary>A rate in bit/s, 1 … 10¹².</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public long ReadRate()
    {
        const string Expected = "a rate such as 100mbit, 64kbit or 1gbit, at most 1000gbit";
        string word = ReadWord(Expected);
        decimal? rate = Suffixed(word, ("gbit", 1_000_000_000), ("mbit", 1_000_000), ("kbit", 1_000), ("bit", 1));
        return rate is >= 1 and <= 1_000_000_000_000 ? (long)rate : throw Error(Expected, word);
    }

    /// <summary>A number of bytes, 0 … 2³⁰.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public long ReadBytes()
    {
        const string Expected = "bytes such as 64kib, 64kb or 65536b, at most 1gib";
        string word = ReadWord(Expected);
        return Bytes(word) is >= 0 and <= 1 << 30 and { } bytes ? (long)bytes : throw Error(Expected, word);
    }

    /// <summary>A depth of a queue.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public QueueDepth ReadDepth()
    {
        const string Expected = "a queue such as 1bdp, 100pkt or 64kb, at most 1000bdp, 1000000pkt or 1gib";
        string word = ReadWord(Expected);
        return word switch
        {
            _ when Suffixed(word, ("bdp", 1)) is >= 0 and <= 1000 and { } products => new QueueDepth((double)products, QueueUnit.BandwidthDelayProducts),
            _ when Suffixed(word, ("pkt", 1)) is >= 0 and <= 1_000_000 and { } packets => new QueueDepth((double)packets, QueueUnit.Packets),
            _ when Bytes(word) is >= 0 and <= 1 << 30 and { } bytes => new QueueDepth((double)bytes, QueueUnit.Bytes),
            _ => throw Error(Expected, word),
        };
    }

    /// <summary>A number of packets, 1 … 10⁶.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public int ReadCount()
    {
        const string Expected = "a number of packets from 1 to 1000000";
        string word = ReadWord(Expected);
        return int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int count) && count is >= 1 and <= 1_000_000
            ? count
            : throw Error(Expected, word);
    }

    /// <summary>Nothing may follow.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public void ReadEnd()
    {
        if (!AtEnd)
        {
            throw Error("nothing more", _parts[_next]);
        }
    }

    public ImpairmentException Error(string expected, string found) => new(where, expected, $"'{found}' in '{value}'");

    static decimal? Bytes(string word) =>
        Suffixed(word, ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1_000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("b", 1));

    static decimal? Suffixed(string word, params ReadOnlySpan<(string Suffix, decimal Factor)> units)
    {
        foreach ((string suffix, decimal factor) in units)
        {
            if (word.EndsWith(suffix, StringComparison.Ordinal) && Number(word[..^suffix.Length], factor) is { } number)
            {
                return number;
            }
        }

        return null;
    }

    // 15 digits keep every product within the decimal's range.
    static decimal? Number(string digits, decimal factor) =>
        digits.Length <= 15 && decimal.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal number)
            ? number * factor
            : null;
}
