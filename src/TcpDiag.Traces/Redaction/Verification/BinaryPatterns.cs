using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>
/// Addresses, security identifiers and GUIDs as bytes, forwards and backwards, to be searched for at every offset. Only those that are unlike what files are full of anyway: few zeros, and so long, or the file so
/// short, that chance brings less than one match in a thousand files.
/// </summary>
sealed class BinaryPatterns
{
    const int PrefixBytes = 4;
    const double MostChance = 0.001;
    const double Ipv4Values = 4_294_967_296.0;

    readonly bool[] _starts = new bool[1 << 16];
    readonly Dictionary<uint, List<(byte[] Bytes, RedactionKind Kind)>> _byPrefix = [];

    /// <summary>Collects the patterns.</summary>
    /// <param name="originals">The values.</param>
    /// <param name="fileBytes">Bytes to be searched.</param>
    public BinaryPatterns(OriginalValues originals, long fileBytes)
    {
        Span<byte> bytes = stackalloc byte[16];
        bool isIpv4Rare = 2.0 * fileBytes * originals.Addresses.Count / Ipv4Values < MostChance;
        foreach (IpAddress address in originals.Addresses.Keys)
        {
            Span<byte> value = bytes[..address.Write(bytes)];
            bool isWanted = address.IsIpv4 ? isIpv4Rare && IsUnusual(value, 4) && !value.Contains((byte)0) : IsUnusual(value, 5);
            Add(value, address.IsIpv4 ? RedactionKind.Ipv4Addresses : RedactionKind.Ipv6Addresses, isWanted && originals.IsBetrayed(address));
        }

        foreach (ulong mac in originals.Macs.Keys)
        {
            Span<byte> value = bytes[..LinkAddressMap.Bytes];
            LinkAddressMap.Write(value, mac);
            Add(value, RedactionKind.MacAddresses, IsUnusual(value, 4) && originals.IsBetrayed(mac));
        }

        foreach (Guid guid in originals.Guids.Places.Keys)
        {
            guid.TryWriteBytes(bytes);
            Add(bytes, RedactionKind.Guids, IsUnusual(bytes, 5) && originals.IsBetrayedAsBytes(guid));
        }

        foreach (string text in originals.SecurityIds.Places.Keys)
        {
            byte[] numbers = SecurityId.Parse(text)!.NameBytes();
            Add(numbers, RedactionKind.SecurityIds, IsUnusual(numbers, 5) && originals.SecurityIds.IsBetrayed(text));
        }
    }

    /// <summary>Values that are searched for.</summary>
    public long Searched { get; private set; }

    /// <summary>Values that are not.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Whether a pattern begins at the start of a span.</summary>
    /// <param name="bytes">At least four bytes.</param>
    /// <param name="kind">What it is.</param>
    /// <returns>True when one does.</returns>
    public bool TryMatch(ReadOnlySpan<byte> bytes, out RedactionKind kind)
    {
        kind = default;
        if (!_starts[BinaryPrimitives.ReadUInt16LittleEndian(bytes)]
            || !_byPrefix.TryGetValue(BinaryPrimitives.ReadUInt32LittleEndian(bytes), out List<(byte[] Bytes, RedactionKind Kind)>? candidates))
        {
            return false;
        }

        foreach ((byte[] pattern, RedactionKind found) in candidates)
        {
            if (bytes.StartsWith(pattern))
            {
                kind = found;
                return true;
            }
        }

        return false;
    }

    static bool IsUnusual(ReadOnlySpan<byte> value, int leastDistinct)
    {
        int distinct = 0;
        for (int i = 0; i < value.Length; i++)
        {
            distinct += value[i] is not (0 or byte.MaxValue) && !value[..i].Contains(value[i]) ? 1 : 0;
        }

        return distinct >= leastDistinct;
    }

    void Add(ReadOnlySpan<byte> value, RedactionKind kind, bool isWanted)
    {
        if (!isWanted)
        {
            LeftOut++;
            return;
        }

        Searched++;
        byte[] forwards = value.ToArray();
        byte[] backwards = value.ToArray();
        backwards.AsSpan().Reverse();
        Add(forwards, kind);
        Add(backwards, kind);
    }

    void Add(byte[] pattern, RedactionKind kind)
    {
        uint prefix = BinaryPrimitives.ReadUInt32LittleEndian(pattern.AsSpan(0, PrefixBytes));
        _starts[(ushort)prefix] = true;
        if (!_byPrefix.TryGetValue(prefix, out List<(byte[] Bytes, RedactionKind Kind)>? patterns))
        {
            _byPrefix[prefix] = patterns = [];
        }

        patterns.Add((pattern, kind));
    }
}
