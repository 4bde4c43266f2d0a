using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace TcpDiag.Shim.Divert;

/// <summary>The helpers of WinDivert.dll: they work without the driver.</summary>
[SupportedOSPlatform("windows")]
static unsafe class DivertHelpers
{
    // WINDIVERT_FILTER_MAXLEN is 256 tests; none is longer than 200 characters in normal form.
    const int FormattedBytes = 64 * 1024;

    // WINDIVERT_HELPER_NO_ICMPV6_CHECKSUM. For ICMPv6 behind an IPv4 header, which anybody can send, version 2.2 reads the IPv6 header that is not
    // there and crashes.
    const ulong NoIcmpV6 = 4;

    /// <summary>Looks whether the driver would take a filter.</summary>
    /// <returns>What is wrong and at which character; null when nothing is.</returns>
    public static (string Fault, int Position)? FindFault(string filter, DivertLayer layer) =>
        DivertNative.CompileFilter(filter, layer, null, 0, out nint error, out uint position)
            ? null
            : (Marshal.PtrToStringAnsi(error) ?? string.Empty, (int)position);

    /// <summary>Whether a packet or a flow matches a filter, as the driver decides it.</summary>
    /// <param name="filter">The filter.</param>
    /// <param name="packet">The packet; empty for a flow.</param>
    /// <param name="address">What the driver knows of it.</param>
    /// <exception cref="ShimException">The filter is none, or the packet.</exception>
    public static bool Matches(string filter, ReadOnlySpan<byte> packet, in DivertAddress address)
    {
        bool isMatch = DivertNative.EvaluateFilter(filter, packet, (uint)packet.Length, in address);
        int code = isMatch ? 0 : Marshal.GetLastPInvokeError();
        return code == 0 ? isMatch : throw DivertErrors.ToException($"evaluate the filter {filter}", code);
    }

    /// <summary>A filter in its normal form.</summary>
    /// <exception cref="ShimException">The filter is none.</exception>
    public static string Format(string filter, DivertLayer layer)
    {
        byte[] text = new byte[FormattedBytes];
        return DivertNative.FormatFilter(filter, layer, text, FormattedBytes)
            ? Encoding.ASCII.GetString(text.AsSpan(0, text.AsSpan().IndexOf((byte)0)))
            : throw DivertErrors.ToException($"format the filter {filter}", Marshal.GetLastPInvokeError());
    }

    /// <summary>Where the parts of a packet begin.</summary>
    /// <returns>False when this is no whole IP packet.</returns>
    public static bool TryParse(ReadOnlySpan<byte> packet, out DivertLayout layout)
    {
        fixed (byte* start = packet)
        {
            bool isPacket = DivertNative.ParsePacket(
                start, (uint)packet.Length, out byte* ip, out byte* ipv6, out byte protocol, out _, out _, out byte* tcp, out byte* udp,
                out byte* data, out uint length, out _, out _);
            byte* transport = tcp != null ? tcp : udp;
            layout = new DivertLayout(
                ip != null,
                ipv6 != null,
                protocol,
                transport == null ? -1 : (int)(transport - start),
                data == null ? -1 : (int)(data - start),
                (int)length);
            return isPacket;
        }
    }

    /// <summary>Calculates every checksum of a packet, and says in its address that they are there.</summary>
    /// <returns>False when this is no whole IP packet.</returns>
    public static bool FillChecksums(Span<byte> packet, ref DivertAddress address) =>
        DivertNative.CalculateChecksums(packet, (uint)packet.Length, ref address, IsIpv4(packet) ? NoIcmpV6 : 0);

    /// <summary>A hash of a packet's headers.</summary>
    public static ulong Hash(ReadOnlySpan<byte> packet, ulong seed) => DivertNative.HashPacket(packet, (uint)packet.Length, seed);

    static bool IsIpv4(ReadOnlySpan<byte> packet) => !packet.IsEmpty && packet[0] >> 4 == 4;
}

/// <summary>How WinDivert reads a packet.</summary>
/// <param name="IsIpv4">It has an IPv4 header.</param>
/// <param name="IsIpv6">It has an IPv6 header.</param>
/// <param name="Protocol">The protocol behind the IP headers.</param>
/// <param name="TransportOffset">Where the TCP or UDP header begins; −1 without one.</param>
/// <param name="PayloadOffset">Where the payload begins; −1 without one.</param>
/// <param name="PayloadLength">Its length in bytes.</param>
readonly record struct DivertLayout(bool IsIpv4, bool IsIpv6, byte Protocol, int TransportOffset, int PayloadOffset, int PayloadLength);
