using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Tests;
using TcpDiag.Testing;
using TcpDiag.Wire;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// Packets replayed to the win-x64 shim, and what comes back looked at as the far host would: wrong checksums are refused. To the shim the near host is its
/// own. Nothing here is real but the shim, so the suite runs without TUN devices and without what a kernel does to packets.
/// </summary>
sealed class WineReplayLab : IPathLab
{
    const ushort NearPort = 4000;
    const byte Capable = 2;
    const byte Marked = 3;

    // Two processes and Wine's server take turns on every packet.
    static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    readonly BlockingCollection<StandInPacket> _back = [];
    readonly StandInNetwork _network;
    readonly (string Near, string Far) _hosts;

    public WineReplayLab(bool isIpv6, string match, string[] options)
    {
        _hosts = isIpv6 ? ("fd77::1", "fd77::2") : ("10.77.0.1", "10.77.0.2");
        _network = StandInNetwork.Open(match, options, _back.Add);
    }

    public List<int> SendNumbered(int count, Action? whenSent = null)
    {
        Send(count, ecn: 0);
        whenSent?.Invoke();
        return [.. Receive().Where(IsWhole).Select(Number)];
    }

    public List<int> SendCapable(int count)
    {
        Send(count, Capable);
        return [.. Receive().Where(packet => IsWhole(packet) && (packet[1] & Marked) == Marked).Select(Number)];
    }

    public TimeSpan RoundTrip()
    {
        long start = Stopwatch.GetTimestamp();
        Send(1, ecn: 0);
        Await();
        byte[] answer = new FrameBuilder().RawIp().Ip(_hosts.Far, _hosts.Near).Udp(NumberedDatagrams.Port, NearPort).PayloadLength(10).Build();
        _network.Send(answer, Address(isOut: false, answer));
        Await();
        return Stopwatch.GetElapsedTime(start);
    }

    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish() => _network.Finish();

    public void Dispose()
    {
        _network.Dispose();
        _back.Dispose();
    }

    void Send(int count, byte ecn)
    {
        for (int i = 1; i <= count; i++)
        {
            byte[] packet = new FrameBuilder().RawIp().Ip(_hosts.Near, _hosts.Far).Ecn(ecn).Udp(NearPort,
                NumberedDatagrams.Port).Payload(BitConverter.GetBytes(i)).Build();
            _network.Send(packet, Address(isOut: true, packet));
        }
    }

    // Until the path is quiet.
    IEnumerable<byte[]> Receive()
    {
        while (_back.TryTake(out StandInPacket? packet, Silence))
        {
            yield return packet.Bytes;
        }
    }

    void Await()
    {
        if (!_back.TryTake(out _, Patience.Limit))
        {
            throw new TimeoutException("A packet did not come back.");
        }
    }

    static DivertAddress Address(bool isOut, byte[] packet) => new() { IsOutbound = isOut, IsIpv6 = packet[0] >> 4 == 6, HasChecksums = true, Interface = 5 };

    static int Number(byte[] packet) => BitConverter.ToInt32(packet, packet.Length - 4);

    // IPv6 has no checksum of its own.
    static bool IsWhole(byte[] packet)
    {
        ParsedPacket parsed = default;
        return PacketParser.TryParse(packet, LinkType.Raw, ref parsed)
            && InternetChecksum.VerifyIpv4(packet, in parsed) is not ChecksumState.Wrong
            && InternetChecksum.VerifyTransport(packet, in parsed) is ChecksumState.Correct;
    }
}
