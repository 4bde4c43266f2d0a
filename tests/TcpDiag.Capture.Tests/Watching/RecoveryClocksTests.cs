using System;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Capture.Linux.Watching;
using TcpDiag.Capture.Watching;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Watching;

public class RecoveryClocksTests
{
    const long Recovery = 3;
    const long Loss = 4;
    const long Open = 0;

    static readonly Endpoint Local = new(IpAddress.FromIpv4(0x0A000001), 5000);
    static readonly Endpoint Remote = new(IpAddress.FromIpv4(0x0A000002), 443);

    [Fact]
    public void Clock_StatesInTurn_AddsUpTheirTimes()
    {
        RecoveryClock clock = new();
        clock.Enter(RecoveryState.FastRecovery, new(1_000));
        clock.Enter(RecoveryState.None, new(1_400));
        clock.Enter(RecoveryState.Timeout, new(2_000));
        clock.Enter(RecoveryState.FastRecovery, new(2_100));

        // 400 and, until now, 300 in recovery; 100 behind a timer.
        Assert.Equal((700, 100), (clock.FastRecoveryNanos(new(2_400)), clock.TimeoutNanos(new(2_400))));
    }

    // The second event is the later one, 100 ns before the first by its clock: no time passed between them.
    [Fact]
    public void Clock_EventBeforeTheLast_DoesNotRunBack()
    {
        RecoveryClock clock = new();
        clock.Enter(RecoveryState.FastRecovery, new(2_000));
        clock.Enter(RecoveryState.None, new(1_900));
        clock.Enter(RecoveryState.FastRecovery, new(1_950));

        Assert.Equal((500, 0), (clock.FastRecoveryNanos(new(2_500)), clock.TimeoutNanos(new(2_500))));
    }

    [Fact]
    public void Clocks_ConnectionWithoutALoss_HasLostNoTime()
    {
        using RecoveryClocks clocks = new();
        Assert.Equal((0, 0), Read(clocks, RecoveryState.None));
    }

    // From 10 to 30 us recovery, from 30 to 70 the timer; the reading itself says that it is over.
    [Fact]
    public void Clocks_EventsBetweenReadings_AreTimed()
    {
        using RecoveryClocks clocks = new();
        clocks.Add(Changed(10_000, Recovery));
        clocks.Add(Changed(30_000, Loss));
        clocks.Add(Changed(70_000, Open));

        Assert.Equal((20, 40), Read(clocks, RecoveryState.None));
    }

    // The timer expired on one processor and what ended it came in on another, whose buffer is read first.
    [Fact]
    public void Clocks_EventsOfSeveralProcessors_AreTakenInTheirOrder()
    {
        using RecoveryClocks clocks = new();
        clocks.Add(Changed(70_000, Open));
        clocks.Add(Changed(30_000, Loss));

        Assert.Equal((0, 40), Read(clocks, RecoveryState.None));
    }

    // Its last event was lost, or never came: the reading knows better, from now on.
    [Fact]
    public void Clocks_ReadingHasAnotherState_ContinuesWithThat()
    {
        using RecoveryClocks clocks = new();
        Assert.Equal((0, 0), Read(clocks, RecoveryState.Timeout));
        long? timeout = Read(clocks, RecoveryState.None).TimeoutUs;

        Assert.True(timeout >= 0);
        Assert.Equal((0, timeout), Read(clocks, RecoveryState.None));
    }

    // A machine-wide tracepoint covers other namespaces too; what is not among the readings is not kept.
    [Fact]
    public void Clocks_ConnectionNotRead_IsForgotten()
    {
        using RecoveryClocks clocks = new();
        clocks.Add(Changed(10_000, Recovery));
        clocks.Add(Changed(30_000, Open));
        clocks.BeginReading();
        clocks.EndReading();

        Assert.Equal((0, 0), Read(clocks, RecoveryState.None));
    }

    // What the sender sends is dropped for half a second: its timer expires, and the reading after recovery shows for how long.
    [RootFact("ip", "iptables")]
    public void Watch_TimerExpiredBetweenReadings_IsTimed()
    {
        string place = FormattableString.Invariant($"tdw{Environment.ProcessId}");
        ExternalProgram.Run("ip", "netns", "add", place);
        try
        {
            ExternalProgram.Run("ip", "-n", place, "link", "set", "lo", "up");
            (WatchedConnection connection, TimeSpan interval) = NetworkNamespace.Run(place, () => LoseAndWatch(place));

            // The first timer runs for 200 ms at least; the second, which had to expire too, took twice that.
            Assert.Equal(WatchLimit.Timeout, connection.Limit);
            Assert.InRange(connection.LostUs, 200_000, interval.TotalMicroseconds);
        }
        finally
        {
            ExternalProgram.Run("ip", "netns", "del", place);
        }
    }

    static (WatchedConnection Connection, TimeSpan Interval) LoseAndWatch(string place)
    {
        using var pair = new LoopbackPair(IPAddress.Loopback);
        (int port, Socket client, Socket server) = (pair.Port, pair.Client, pair.Server);
        using ConnectionMonitor watch = ConnectionMonitor.Open(MatchParser.Parse($"dst port {port}"));
        using ConnectionMonitor other = ConnectionMonitor.Open(MatchParser.Parse($"dst port {port}"));
        watch.Read();
        other.Read();
        string[] rule = ["INPUT", "-p", "tcp", "--dport", port.ToString(CultureInfo.InvariantCulture), "-j", "DROP"];
        ExternalProgram.Run("ip", ["netns", "exec", place, "iptables", "-A", .. rule]);
        client.Send(new byte[1000]);
        _ = SpinWait.SpinUntil(() => other.Read().Any(one => one.Remote.Port == port && one.Retransmissions >= 3), Patience.Limit);
        ExternalProgram.Run("ip", ["netns", "exec", place, "iptables", "-D", .. rule]);
        server.Receive(new byte[2000]);
        client.Send(new byte[1]);
        server.Receive(new byte[10]);
        return (watch.Read().Single(one => one.Remote.Port == port), watch.Interval);
    }

    static (long? FastRecoveryUs, long? TimeoutUs) Read(RecoveryClocks clocks, RecoveryState recovery)
    {
        clocks.BeginReading();
        var reading = new ConnectionReading { Local = Local, Remote = Remote, Recovery = recovery };
        clocks.Fill(reading);
        clocks.EndReading();
        return (reading.FastRecoveryUs, reading.TimeoutUs);
    }

    static StackEvent Changed(long nanoseconds, long state)
    {
        var told = new StackEvent();
        told.Reset(StackEventKind.CongestionStateChanged, new(nanoseconds), "tcp:tcp_cong_state_set");
        told.Set(StackField.CongestionState, state);
        (told.Local, told.Remote) = (Local, Remote);
        return told;
    }
}
