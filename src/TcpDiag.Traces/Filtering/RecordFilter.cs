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
