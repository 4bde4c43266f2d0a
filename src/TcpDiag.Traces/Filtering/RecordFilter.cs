using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Filtering;

/// <summary>
/// Which records of a trace are wanted; shared by all commands. Conditions of different kinds must all hold, of one kind
/// one is enough. <see cref="RecordMatcher"/> applies it.
/// </summary>
public sealed record RecordFilter
{
    /// <summary>Source or destination address.</summary>
    public IReadOnlyList<AddressRange> Hosts { get; init; } = [];

    /// <summary>Source or destination port.</summary>
    public IReadOnlyList<int> Ports { get; init; } = [];

    /// <summary>Process id, or the beginning of a process name.</summary>
    public IReadOnlyList<string> Processes { get; init; } = [];

    /// <summary>Number of an interface, or a part of its name or description.</summary>
    public IReadOnlyList<string> Interfaces { get; init; } = [];

    /// <summary>Whether reports of drops pass.</summary>
    public DropChoice Drops { get; init; }

    /// <summary>Whether only one appearance of each packet passes.</summary>
    public bool EachPacketOnce { get; init; }

    /// <summary>Earliest time, or null.</summary>
    public TimeBound? From { get; init; }

    /// <summary>Latest time, or null.</summary>
    public TimeBound? To { get; init; }

    /// <summary>Whether a packet's headers are needed to decide.</summary>
    public bool NeedsHeaders => Hosts.Count > 0 || Ports.Count > 0 || Processes.Count > 0;
}

/// <summary>Which packets pass by whether they are reports of drops.</summary>
public enum DropChoice
{
    /// <summary>All.</summary>
    All,

    /// <summary>Reports of drops alone.</summary>
    DropsOnly,

    /// <summary>All but reports of drops.</summary>
    NoDrops,
}

/// <summary>An address, or all addresses with the same first bits.</summary>
/// <param name="Address">The address; bits after the prefix do not count.</param>
/// <param name="PrefixLength">Bits that must agree, of the 128 in which both families are held.</param>
public readonly record struct AddressRange(IpAddress Address, int PrefixLength)
{
    const int AddressBits = 128;
    const int MappedBits = 96;

    /// <summary>Reads an address, or an address and a prefix length.</summary>
    /// <param name="text">E.g. <c>10.0.0.1</c>, <c>10.0.0.0/8</c> or <c>2001:db8::/32</c>.</param>
    /// <param name="range">The range.</param>
    /// <returns>False when the text is neither.</returns>
    public static bool TryParse(string? text, out AddressRange range)
    {
        range = default;
        string[] parts = (text ?? string.Empty).Split('/');
        if (parts.Length > 2 || !IpAddress.TryParse(parts[0], out IpAddress address))
        {
            return false;
        }

        int offset = address.IsIpv4 ? MappedBits : 0;
        int prefix = AddressBits - offset;
        bool isRange = parts.Length == 1
            || (int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out prefix) && prefix <= AddressBits - offset);
        range = new AddressRange(address, offset + prefix);
        return isRange;
    }

    /// <summary>Whether an address lies in the range.</summary>
    /// <param name="other">The address.</param>
    /// <returns>True when the first bits agree.</returns>
    public bool Contains(IpAddress other) =>
        ((Address.High ^ other.High) & Mask(PrefixLength)) == 0 && ((Address.Low ^ other.Low) & Mask(PrefixLength - 64)) == 0;

    static ulong Mask(int bits) => bits switch
    {
        <= 0 => 0,
        >= 64 => ulong.MaxValue,
        _ => ulong.MaxValue << (64 - bits),
    };
}

/// <summary>One end of a span of time: an instant, or a distance from the first record.</summary>
/// <param name="Instant">The instant, or null.</param>
/// <param name="SinceStartNanos">Nanoseconds since the first record, where there is no instant.</param>
public readonly record struct TimeBound(TraceTime? Instant, long SinceStartNanos)
{
    const decimal NanosecondsPerSecond = 1_000_000_000;

    /// <summary>Reads a bound.</summary>
    /// <param name="text">Seconds since the first record (<c>1.5</c>), or an instant (<c>2026-11-21T10:24:58.5Z</c>; UTC without a zone).</param>
    /// <param name="bound">The bound.</param>
    /// <returns>False when the text is neither.</returns>
    public static bool TryParse(string? text, out TimeBound bound)
    {
        bound = default;
        if (decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal seconds)
            && seconds < long.MaxValue / NanosecondsPerSecond)
        {
            bound = new TimeBound(null, (long)(seconds * NanosecondsPerSecond));
            return true;
        }

        const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        bool beginsWithYear = text is [_, _, _, _, '-', ..]; // otherwise 1,5 would be the fifth of January, and 10:24 today
        if (!beginsWithYear || !DateTime.TryParse(text, CultureInfo.InvariantCulture, Utc, out DateTime instant))
        {
            return false;
        }

        bound = new TimeBound(Nearest((Int128)(instant - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick), 0);
        return true;
    }

    /// <summary>The instant.</summary>
    /// <param name="start">Time of the first record.</param>
    /// <returns>The bound as an instant.</returns>
    public TraceTime At(TraceTime start) => Instant ?? Nearest((Int128)start.Nanoseconds + SinceStartNanos);

    // A time beyond those that nanoseconds reach, 1677 to 2262, lies before or after all of them.
    static TraceTime Nearest(Int128 nanoseconds) => new((long)Int128.Clamp(nanoseconds, long.MinValue, long.MaxValue));
}
