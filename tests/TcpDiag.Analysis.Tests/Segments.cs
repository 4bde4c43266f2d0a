using TcpDiag.Testing;

namespace TcpDiag.Analysis.Tests;

/// <summary>Segments between one client and one server, numbers relative to initial sequence numbers near the wrap.</summary>
static class Segments
{
    public const uint ClientIsn = 0xFFFF_FF00;
    public const uint ServerIsn = 0x7FFF_FFF0;

    public static FrameBuilder FromClient(uint seq, uint ack, int payload = 0, byte flags = FrameBuilder.Ack) =>
        new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(50000, 443)
            .Seq(unchecked(ClientIsn + seq)).AckNumber(unchecked(ServerIsn + ack)).Flags(flags).Window(1000).PayloadLength(payload);

    public static FrameBuilder FromServer(uint seq, uint ack, int payload = 0, byte flags = FrameBuilder.Ack) =>
        new FrameBuilder().Ip("10.0.0.2", "10.0.0.1").Tcp(443, 50000)
            .Seq(unchecked(ServerIsn + seq)).AckNumber(unchecked(ClientIsn + ack)).Flags(flags).Window(1000).PayloadLength(payload);

    /// <summary>SYN at 0, SYN-ACK at 100 µs, ACK at 20,100 µs; MSS 1460, no other options.</summary>
    public static MemoryTrace Opened() => new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460))
        .Packet(100, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460))
        .Packet(20_100, FromClient(1, 1));
}
