using System;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>A transfer: two stacks, and how the two programs treat their sockets. The same settings as those of a real flow of the lab.</summary>
public sealed record SimulatedFlow
{
    /// <summary>The port of the end that waits for the connection.</summary>
    public const ushort ServerPort = 443;

    /// <summary>The port of the end that opens it.</summary>
    public const ushort ClientPort = 50_000;

    const int TcpHeaderBytes = 20;
    const int TimestampBytes = 12;

    /// <summary>The stack that sends.</summary>
    public SenderTraits Sender { get; init; } = new();

    /// <summary>The stack that receives.</summary>
    public ReceiverTraits Receiver { get; init; } = new();

    /// <summary>How much is sent, bytes.</summary>
    public long Bytes { get; init; } = 1_000_000;

    /// <summary>How much the program writes at once, bytes.</summary>
    public int WriteBytes { get; init; } = 64 * 1024;

    /// <summary>The program has so much to send at a time, bytes; 0 when it always has.</summary>
    public long BurstBytes { get; init; }

    /// <summary>Time between two of these, ns.</summary>
    public long BurstNanos { get; init; }

    /// <summary>The send buffer, bytes; it takes the last write whole, however full it is.</summary>
    public int SendBufferBytes { get; init; } = int.MaxValue / 2;

    /// <summary>How fast the sender may send, bit/s (SO_MAX_PACING_RATE); 0 for no pacing.</summary>
    public long PacingBitsPerSecond { get; init; }

    /// <summary>How fast the receiving program reads, bit/s; 0 for at once.</summary>
    public long ReadBitsPerSecond { get; init; }

    /// <summary>After so many bytes the receiving program reads nothing for <see cref="PauseNanos"/>, once; 0 for never.</summary>
    public long PauseAfterBytes { get; init; }

    /// <summary>How long, ns.</summary>
    public long PauseNanos { get; init; }

    /// <summary>Whether the receiver opens the connection, as in a download.</summary>
    public bool IsDownload { get; init; }

    /// <summary>Whether both ends use ECN (RFC 3168).</summary>
    public bool IsEcn { get; init; }

    /// <summary>Whether its packets are IPv6.</summary>
    public bool IsIpv6 { get; init; }

    /// <summary>Largest IP packet, bytes.</summary>
    public int Mtu { get; init; } = 1500;

    /// <summary>The sender gives up after so long, ns.</summary>
    public long LimitNanos { get; init; } = 120_000_000_000;

    /// <summary>The clock at the first packet.</summary>
    public TraceTime Start { get; init; } = new(1_700_000_000_000_000_000);

    /// <summary>Payload of a full segment, bytes: the MSS without the room of timestamps.</summary>
    public int Smss => Mss - (Sender.HasTimestamps ? TimestampBytes : 0);

    /// <summary>The flow with what a handshake agrees on: SACK only if both ends have it (RFC 2018 §2), and a window of 64 kB without scaling.</summary>
    internal SimulatedFlow Negotiated()
    {
        SimulatedFlow scaled = Receiver.HasWindowScale ? this : this with
        {
            Receiver = Receiver with
            {
                WindowScale = 0,
                BufferBytes = Math.Min(Receiver.BufferBytes, ushort.MaxValue),
                MaxBufferBytes = Math.Min(Receiver.MaxBufferBytes, ushort.MaxValue),
            },
        };
        bool hasSack = Receiver.HasSack && Sender.Detection != LossDetection.NewReno;
        return hasSack ? scaled : scaled with
        {
            Sender = Sender with { Detection = LossDetection.NewReno },
            Receiver = scaled.Receiver with { HasSack = false },
        };
    }

    // RFC 9293 §3.7.1.
    int Mss => Mtu - FrameWriter.IpBytes(IsIpv6) - TcpHeaderBytes;

    /// <summary>TSval at an instant: milliseconds, as the common stacks have them (RFC 7323 §5.4).</summary>
    internal static uint TsVal(TraceTime now) => unchecked((uint)(now.Nanoseconds / 1_000_000));

    /// <summary>The bits by which a SYN asks for ECN, or its answer agrees (RFC 3168 §6.1.1).</summary>
    internal TcpFlags HandshakeBits(TcpFlags flags) =>
        !IsEcn ? TcpFlags.None : (flags & TcpFlags.Ack) != 0 ? TcpFlags.Ece : TcpFlags.Ece | TcpFlags.Cwr;

    /// <summary>What a capture of the flow says of itself, by which readers know it for simulated: reports repeat it.</summary>
    internal string Remark(SegmentPoint point) =>
        $"{SystemFacts.SimulationMark}: sender {Sender.Name}, captured at the {point.ToString().ToLowerInvariant()}. No network was involved.";

    /// <summary>The end of the host that sends the data, or of the other one.</summary>
    internal Endpoint EndOf(bool isSender) => new(Address((byte)(isSender ? 1 : 2)), isSender == IsDownload ? ServerPort : ClientPort);

    /// <summary>Makes frames of the flow's segments.</summary>
    internal FrameWriter Frames()
    {
        (ushort senderPort, ushort receiverPort) = IsDownload ? (ServerPort, ClientPort) : (ClientPort, ServerPort);
        return new FrameWriter(
            Address(1),
            Address(2),
            senderPort,
            receiverPort,
            new HandshakeOptions(Mss, SenderScale: (byte)(Receiver.HasWindowScale ? 7 : 0), Receiver.WindowScale, Receiver.HasSack, Receiver.HasWindowScale));
    }

    IpAddress Address(byte host) => IsIpv6
        ? new IpAddress(0xFD00_0000_0000_0000, host)
        : IpAddress.FromIpv4(0x0A00_0000u + host);
}
