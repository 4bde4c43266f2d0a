using System.Collections.Generic;
using TcpDiag.Analysis.Findings;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Receivers;
using static TcpDiag.Truth.Causes.Draws;

namespace TcpDiag.Truth.Causes;

/// <summary>What the two hosts, their sockets and programs do to a transfer.</summary>
static class HostScenarios
{
    static readonly string[] OfWindows = [FindingIds.ReceiveWindowLimited, FindingIds.ZeroWindow, FindingIds.WindowOrBuffer];

    public static IEnumerable<Scenario> All => [.. SendBuffers(), .. Windows(), .. Options()];

    static IEnumerable<Scenario> SendBuffers()
    {
        yield return new("send-buffer", [FindingIds.SendBufferLimited], Open, random => Any(random) with
        {
            Bytes = Amount(random, 1, 3),
            SendBufferBytes = random.Next(6, 48) * 1024,
            WriteBytes = random.Next(1, 16) * 1024,
        })
        { Cured = WithBuffer };
        yield return new("send-buffer-64", [FindingIds.SendBufferLimited], ["rtt=60ms", "rate=300mbit rtt=80ms"], random => Any(random) with
        {
            Bytes = Amount(random, 3, 6),
            SendBufferBytes = random.Next(56, 140) * 1024,
            WriteBytes = random.Next(4, 65) * 1024,
        })
        { Cured = WithBuffer };
        yield return new("send-buffer-256", [FindingIds.SendBufferLimited], ["rate=1gbit rtt=100ms"], random => Any(random) with
        {
            Bytes = Amount(random, 10, 20),
            SendBufferBytes = random.Next(200, 400) * 1024,
        })
        { Cured = WithBuffer };
        yield return new("send-buffer-download", [FindingIds.SendBufferLimited], Open[1..3], random => Any(random) with
        {
            Bytes = Amount(random, 1, 3),
            SendBufferBytes = random.Next(16, 48) * 1024,
            WriteBytes = random.Next(1, 16) * 1024,
            IsDownload = true,
        })
        { Cured = WithBuffer };
        yield return new("send-buffer-windows", [FindingIds.SendBufferLimited], Open[1..3], random => Any(random) with
        {
            Bytes = Amount(random, 1, 3),
            Sender = Draws.Windows,
            SendBufferBytes = 1, // one write at a time, as a blocking socket without SO_SNDBUF has it
            WriteBytes = random.Next(8, 64) * 1024,
        })
        { Cured = WithBuffer };
    }

    static IEnumerable<Scenario> Windows()
    {
        yield return new("receive-window", [FindingIds.ReceiveWindowLimited], Open, random => Any(random) with
        {
            Bytes = Amount(random, 1, 3),
            Receiver = new() { BufferBytes = random.Next(8, 64) * 1024, WindowScale = (byte)random.Next(0, 8) },
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("receive-window-256", [FindingIds.ReceiveWindowLimited], ["rate=1gbit rtt=100ms"], random => Any(random) with
        {
            Bytes = Amount(random, 10, 20),
            Receiver = new() { BufferBytes = random.Next(200, 500) * 1024, WindowScale = 8 },
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("receive-window-download", [FindingIds.ReceiveWindowLimited], Open[1..3], random => Any(random) with
        {
            Bytes = Amount(random, 1, 3),
            Receiver = new() { BufferBytes = random.Next(16, 64) * 1024, WindowScale = 8 },
            IsDownload = true,
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("zero-window", [FindingIds.ZeroWindow, FindingIds.ReceiveWindowLimited], ["rate=50mbit rtt=30ms"], random => Any(random) with
        {
            Bytes = 600_000,
            Receiver = new() { BufferBytes = 48 * 1024, WindowScale = 0 },
            PauseAfterBytes = 200_000,
            PauseNanos = random.Next(2, 6) * 1_000_000_000L,
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("zero-window-large", [FindingIds.ZeroWindow], ["rate=100mbit rtt=20ms"], random => Any(random) with
        {
            Bytes = 6_000_000,
            Receiver = new() { BufferBytes = 1024 * 1024, WindowScale = 8 },
            PauseAfterBytes = 2_000_000,
            PauseNanos = random.Next(2, 6) * 1_000_000_000L,
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("slow-reader", [FindingIds.ReceiveWindowLimited, FindingIds.ZeroWindow], ["rate=100mbit rtt=30ms"], random => Any(random) with
        {
            Bytes = 2_000_000,
            Receiver = new() { BufferBytes = 64 * 1024, WindowScale = 0 },
            ReadBitsPerSecond = random.Next(2, 8) * 1_000_000L,
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("slow-reader-large", [FindingIds.ReceiveWindowLimited, FindingIds.ZeroWindow], ["rate=100mbit rtt=30ms"], random => Any(random) with
        {
            Bytes = Amount(random, 6, 9),
            Receiver = new() { BufferBytes = 1024 * 1024, WindowScale = 8 },
            ReadBitsPerSecond = random.Next(5, 20) * 1_000_000L,
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("reassembly-limit", [FindingIds.ReassemblyLimit], ["rate=50mbit rtt=60ms loss=out:0.1pct"], random => Any(random) with
        {
            Bytes = Amount(random, 6, 10),
            Receiver = new() { ReassemblyBytes = random.Next(8, 32) * 1024, WindowScale = 8 },
        })
        {
            Beside = [FindingIds.PathLoss, FindingIds.LostRetransmissions, FindingIds.RtoStalls, FindingIds.TailLoss, FindingIds.SpuriousRetransmissions],
            Cured = flow => flow with { Receiver = flow.Receiver with { ReassemblyBytes = int.MaxValue } },
            CuredPath = path => path,
        };
    }

    static IEnumerable<Scenario> Options()
    {
        yield return new("window-scaling-off", [FindingIds.WindowScalingOff, FindingIds.ReceiveWindowLimited], Open[1..], random => Any(random) with
        {
            Bytes = Amount(random, 2, 5),
            Receiver = new() { HasWindowScale = false },
        })
        { Beside = OfWindows, Cured = WithWindow };
        yield return new("sack-off", [FindingIds.SackOff, FindingIds.PathLoss], ["rate=50mbit rtt=60ms loss=out:1pct", "rate=20mbit rtt=30ms loss=out:2pct"],
            random => Any(random) with
            {
                Bytes = Amount(random, 3, 6),
                Receiver = new() { HasSack = false, WindowScale = 8 },
            })
        {
            Beside = [FindingIds.PathLoss, FindingIds.RtoStalls, FindingIds.LostRetransmissions, FindingIds.SpuriousRetransmissions, FindingIds.TailLoss],
        };
        yield return new("mss-clamped", [FindingIds.MssClamped], ["rate=100mbit rtt=40ms", "rtt=20ms"], random =>
            Any(random) with { Bytes = Amount(random, 2, 4), Mtu = random.Next(576, 900) })
        {
            Shows = view => !view.IsLate,
            Cured = flow => flow with { Mtu = 1500 },
        };
        yield return new("nagle", [FindingIds.NagleDelayedAck], ["rate=100mbit rtt=2ms", "rate=50mbit rtt=10ms"], random => Any(random) with
        {
            Bytes = 8_000,
            Sender = Linux with { HasNagle = true },
            BurstBytes = random.Next(20, 50), // all that is written until an acknowledgment comes is less than a segment, which would leave at once
            BurstNanos = random.Next(8, 15) * 1_000_000L,
            Receiver = new() { WindowScale = 8, AckDelayNanos = random.Next(40, 200) * 1_000_000L },
        })
        {
            Cured = flow => flow with { Sender = flow.Sender with { HasNagle = false } }, // messages come late, and the last one no later than the others
            Shows = view => !view.IsLate, // how long a round trip takes only the handshake shows
        };
    }

    static SimulatedFlow WithBuffer(SimulatedFlow flow) => flow with { SendBufferBytes = new SimulatedFlow().SendBufferBytes };

    // A reader that keeps up, and room enough.
    static SimulatedFlow WithWindow(SimulatedFlow flow) => flow with
    {
        Receiver = flow.Receiver with { BufferBytes = new ReceiverTraits().BufferBytes, WindowScale = 11, HasWindowScale = true },
        PauseAfterBytes = 0,
        PauseNanos = 0,
        ReadBitsPerSecond = 0,
    };
}
