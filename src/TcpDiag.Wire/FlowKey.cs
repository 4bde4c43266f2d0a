using System;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace TcpDiag.Wire;

/// <summary>
/// The two endpoints of a connection in a fixed order, so that both directions give the same key. The order is that of
/// address, then port, as unsigned numbers; it says nothing about who is the client.
/// </summary>
/// <param name="LowAddress">Address of the endpoint that sorts first.</param>
/// <param name="HighAddress">Address of the endpoint that sorts last.</param>
/// <param name="Ports">Port of the first endpoint in the upper half, of the last in the lower.</param>
public readonly record struct FlowKey(IpAddress LowAddress, IpAddress HighAddress, uint Ports)
{
    /// <summary>The endpoint that sorts first.</summary>
    public Endpoint Low => new(LowAddress, (ushort)(Ports >> 16));

    /// <summary>The endpoint that sorts last.</summary>
    public Endpoint High => new(HighAddress, (ushort)Ports);

    /// <summary>The key of a packet.</summary>
    /// <param name="packet">A TCP or UDP packet.</param>
    /// <param name="isFromHigh">Whether the packet goes from the last endpoint to the first.</param>
    /// <returns>The key.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FlowKey Of(in ParsedPacket packet, out bool isFromHigh)
    {
        isFromHigh = IsAfter(packet.Source, packet.SourcePort, packet.Destination, packet.DestinationPort);

        // The ends are swapped under a mask: directions alternate too irregularly for a branch.
        ulong swap = 0UL - Unsafe.BitCast<bool, byte>(isFromHigh);
        ulong high = (packet.Source.High ^ packet.Destination.High) & swap;
        ulong low = (packet.Source.Low ^ packet.Destination.Low) & swap;
        uint ports = ((uint)packet.SourcePort << 16) | packet.DestinationPort;
        return new(
            new(packet.Source.High ^ high, packet.Source.Low ^ low),
            new(packet.Destination.High ^ high, packet.Destination.Low ^ low),
            BitOperations.RotateLeft(ports, (int)swap & 16));
    }

    /// <summary>The key of two endpoints.</summary>
    /// <param name="source">The endpoint that sends.</param>
    /// <param name="destination">The endpoint that receives.</param>
    /// <param name="isFromHigh">Whether the sender is the endpoint that sorts last.</param>
    /// <returns>The key.</returns>
    public static FlowKey Of(Endpoint source, Endpoint destination, out bool isFromHigh)
    {
        isFromHigh = IsAfter(source.Address, source.Port, destination.Address, destination.Port);
        (Endpoint low, Endpoint high) = isFromHigh ? (destination, source) : (source, destination);
        return new(low.Address, high.Address, ((uint)low.Port << 16) | high.Port);
    }

    /// <summary>Whether a packet goes between these endpoints: the same result as comparing its own key, without sorting the endpoints.</summary>
    /// <param name="packet">A TCP or UDP packet.</param>
    /// <param name="isFromHigh">Whether the packet goes from the last endpoint to the first; meaningless when the result is false.</param>
    /// <returns>True for a packet of this connection, in either direction.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Is(in ParsedPacket packet, out bool isFromHigh)
    {
        uint ports = ((uint)packet.SourcePort << 16) | packet.DestinationPort;
        isFromHigh = ports != Ports;
        if (isFromHigh && BitOperations.RotateLeft(ports, 16) != Ports)
        {
            return false;
        }

        // The ends are swapped under a mask, as the directions alternate too irregularly for a branch; two ends with one port are told apart by address alone.
        Vector128<ulong> source = Unsafe.BitCast<IpAddress, Vector128<ulong>>(packet.Source);
        Vector128<ulong> destination = Unsafe.BitCast<IpAddress, Vector128<ulong>>(packet.Destination);
        Vector128<ulong> low = Unsafe.BitCast<IpAddress, Vector128<ulong>>(LowAddress);
        Vector128<ulong> high = Unsafe.BitCast<IpAddress, Vector128<ulong>>(HighAddress);
        isFromHigh |= packet.SourcePort == packet.DestinationPort && source != low;
        Vector128<ulong> swap = (low ^ high) & Vector128.Create(0UL - Unsafe.BitCast<bool, byte>(isFromHigh));
        return ((source ^ low ^ swap) | (destination ^ high ^ swap)) == Vector128<ulong>.Zero;
    }

    /// <summary>A hash that the sender of packets cannot steer without knowing the seed: multiply and fold, keyed.</summary>
    /// <param name="seed">The table's secret.</param>
    /// <returns>64 well-mixed bits.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Hash(ulong seed)
    {
        // Odd constants with balanced bits, taken from the fractional digits of pi; the seed keeps them from being known.
        ulong high = Fold(LowAddress.High ^ seed ^ 0x243F_6A88_85A3_08D3, HighAddress.High ^ seed ^ 0x1319_8A2E_0370_7345);
        ulong low = Fold(LowAddress.Low ^ seed ^ 0xA409_3822_299F_31D1, HighAddress.Low ^ seed ^ 0x082E_FA98_EC4E_6C89);
        return Fold(low ^ Ports ^ seed, high ^ 0x4528_21E6_38D0_1377);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Fold(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left, right, out ulong low);
        return high ^ low;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsAfter(IpAddress address, ushort port, IpAddress other, ushort otherPort)
    {
        if (address.High != other.High)
        {
            return address.High > other.High;
        }

        return address.Low == other.Low ? port > otherPort : address.Low > other.Low;
    }
}

/// <summary>One end of a transport connection.</summary>
/// <param name="Address">The IP address.</param>
/// <param name="Port">The port in host order.</param>
public readonly record struct Endpoint(IpAddress Address, ushort Port)
{
    /// <summary>The usual text form: <c>10.0.0.1:443</c> or <c>[2001:db8::1]:443</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => Address.IsIpv4
        ? string.Create(CultureInfo.InvariantCulture, $"{Address}:{Port}")
        : string.Create(CultureInfo.InvariantCulture, $"[{Address}]:{Port}");
}
