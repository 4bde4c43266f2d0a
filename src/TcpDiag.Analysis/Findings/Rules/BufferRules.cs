using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The send buffer holds less than the path: one batch goes out, and the next waits for its acknowledgment (story S3).</summary>
static class SendBufferRule
{
    const double MinShare = 0.1;
    const double MaxRateExcess = 2; // a level seen from afar may be half of what it is (assumed)

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.SendBuffer);
        if (subject.Share(LimitState.SendBuffer) < MinShare || HostRule.IsSenderLate(subject) || IsTooFast(subject)
            || (subject.Direction.Limits?.SendBufferBytes ?? subject.Direction.MaxInFlightBytes) is not { } batch)
        {
            return null;
        }

        return IsWindowKnown(subject.Direction) ? Describe(subject, batch, time) : WindowOrBuffer.Describe(subject, batch, LimitState.SendBuffer);
    }

    // A buffer gives what it holds once in a round trip; where far more was sent it is not what held the sender back. So it seems where the capture point sees
    // less in flight than there is: at the receiver of one machine.
    static bool IsTooFast(in DirectionSubject subject) => subject.Direction.Limits?.SendBufferBytes is { } batch
        && RoundTrip.PathOf(subject.Connection) is > 0 and var path
        && subject.SendingRate >= MaxRateExcess * (batch * 8e9 / path);

    /// <summary>
    /// Whether another connection of the same service had twice as much in flight at the same time: one program gives all the same buffers, so that what this
    /// one had is what its congestion window let it have.
    /// </summary>
    public static bool HasLargerCompanion(in DirectionSubject subject) =>
        (subject.Direction.Limits?.SendBufferBytes ?? subject.Direction.MaxInFlightBytes) is { } batch
        && subject.Companions?.IsAnyInFlight(subject, MaxRateExcess * batch) is true;

    /// <summary>
    /// Whether it shows when the receive window is full: without its scale, that looks like a full send buffer, unless it was never full by any scale.
    /// </summary>
    public static bool IsWindowKnown(ConnectionDirection direction) =>
        direction.MaxReceiveWindowBytes is not null || direction.IsReceiveWindowOpen || direction.Limits?.Evidence is Evidence.Events;

    static Finding Describe(DirectionSubject subject, int batch, long time) =>
        subject.Found(new FindingDraft(FindingIds.SendBufferLimited)
            .Costs(subject.LostOf(time))
            .WithConfidence(IsDoubtful(subject, time) ? 0.45 : 0.9)
            .WithText(() => Text(subject, Quantity.Bytes(batch), time)));

    // A writer that is woken late looks like a program that pauses, and from afar data at even distances like a program's own rhythm.
    static bool IsDoubtful(in DirectionSubject subject, long time) => 2 * (subject.Direction.Limits?.UncertainSendBuffer ?? 0) >= time
        || IsLevelDoubtful(subject, time)
        || IsContradicted(subject.Direction, time);

    /// <summary>
    /// Whether it need not be a level that held the sender back: what held twice as much at another time was not full; another connection had more; and where
    /// nothing shows that the path gives more, a program that writes at that rate looks the same.
    /// </summary>
    public static bool IsLevelDoubtful(in DirectionSubject subject, long time) => subject.LostOf(time).Max == 0
        || (subject.IsAway && subject.Direction.MaxInFlightBytes >= MaxRateExcess * subject.Direction.Limits?.SendBufferBytes)
        || HasLargerCompanion(subject);

    // The sender's own stack counted half of that time at most as its program's and its send buffer's together.
    static bool IsContradicted(ConnectionDirection direction, long time) =>
        direction.LimitCounters is { IsComparable: true, Times: { } times } && 2 * times.Sender < time;

    static FindingText Text(DirectionSubject subject, string size, long time)
    {
        ConnectionDirection direction = subject.Direction;
        string window = direction.MaxReceiveWindowBytes is { } bytes ? Quantity.Bytes(bytes) : "never full, by any scale";
        string doubt = !IsDoubtful(subject, time) ? string.Empty
            : IsContradicted(direction, time)
            ? $" The {subject.Sender}'s own counters say something else: it may be the congestion window instead."
            : HasLargerCompanion(subject)
            ? " Another connection of the same service had twice as much in flight at the same time: it may be the congestion window instead."
            : $" It may be the {subject.Sender}'s program instead, which writes in just this rhythm: a capture taken at the {subject.Sender} would show it.";
        return new FindingText($"The {subject.Sender}'s send buffer, full with {size} in flight, holds the {subject.Transfer} back.")
            .Because($"The {subject.Sender} hands out {size}, waits one round trip for the acknowledgment, and hands out the next batch. The path and the "
                + $"receiver would take more. The size set for a buffer is this or more: data that waits for a full segment is in it as well, a write waits "
                + $"until there is room for it, and Linux counts the memory around the data.{doubt}")
            .Shown("time the send buffer was the limit", subject.OfActive(time), subject.LimitSamples, subject.LongestSpan(LimitState.SendBuffer))
            .Shown("in flight when it was full", $"{size}")
            .Shown("receive window", $"{window}")
            .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
            .ShownCounter(direction, LimitState.SendBuffer)
            .Advise(BufferAdvice.Of(subject));
    }
}

/// <summary>One of both windows holds the sender back, and which one does not show: the window's scale stands in the SYNs.</summary>
static class WindowOrBuffer
{
    /// <summary>Describes it.</summary>
    /// <param name="subject">The direction.</param>
    /// <param name="batch">In flight when it was full, bytes.</param>
    /// <param name="state">
    /// What limits say of the time: a send buffer's; or a congestion window's, where growth would not show, so that it may be that one as well.
    /// </param>
    public static Finding Describe(DirectionSubject subject, int batch, LimitState state)
    {
        long time = subject.TimeIn(state);
        bool isDoubtful = state != LimitState.SendBuffer || SendBufferRule.IsLevelDoubtful(subject, time);
        return subject.Found(new FindingDraft(FindingIds.WindowOrBuffer)
            .Costs(subject.LostOf(time))
            .WithConfidence(isDoubtful ? 0.45 : 0.8)
            .WithText(() => Text(subject, Quantity.Bytes(batch), time, state)));
    }

    static FindingText Text(DirectionSubject subject, string size, long time, LimitState state)
    {
        bool isBuffer = state == LimitState.SendBuffer;
        return new FindingText($"Never more than {size} are in flight: the {subject.Receiver}'s receive window or the {subject.Sender}'s send buffer"
            + $"{(isBuffer ? string.Empty : " or congestion window")} holds the {subject.Transfer} back.")
            .Because($"The {subject.Sender} hands out {size}, and the next data only as acknowledgments come"
                + $"{(isBuffer ? ", far below what the path takes" : string.Empty)}. Which of {(isBuffer ? "the two" : "them")} is full does not show: "
                + Reason(subject.Direction))
            .Shown("time one of them was the limit", subject.OfActive(time), subject.LimitSamples, subject.LongestSpan(state))
            .Shown("in flight when it was full", $"{size}")
            .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
            .ShownCounter(subject.Direction, state)
            .Advise([
                "Record again from the beginning of the connection, with 128 bytes of each packet or more: then it shows.",
                $"Application on the {subject.Receiver}: see whether it sets SO_RCVBUF; it should not.",
                .. BufferAdvice.Of(subject),
            ]);
    }

    static string Reason(ConnectionDirection direction) => direction.HasSyn
        ? "the scale of the window is an option of the SYNs, and the snap length cut the options off."
        : "the scale of the window stands in the SYNs, and the capture began later.";
}

/// <summary>What helps against a small send buffer.</summary>
static class BufferAdvice
{
    public static string[] Of(in DirectionSubject subject) =>
    [
        $"Application on the {subject.Sender}: do not set SO_SNDBUF, or set it to at least bandwidth × RTT (1 MB serves most paths).",
        $"Windows {subject.Sender}: without SO_SNDBUF the stack sizes the buffer itself (dynamic send buffering); setting it switches that off. Keep several "
            + $"sends outstanding (overlapped I/O).",
        $"Linux {subject.Sender}: leave SO_SNDBUF unset, so that net.ipv4.tcp_wmem rules; its third value is the most a connection may take.",
    ];
}

/// <summary>The receive window is full: no more than window / RTT can arrive (story S4).</summary>
static class ReceiveWindowRule
{
    const double MinShare = 0.1;
    const double MaxShrunkShare = 0.5; // of the largest window: it had shrunk, or had not grown yet

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = TimeOf(subject);
        if (!IsLimited(subject) || subject.Direction is not { MaxReceiveWindowBytes: { } window } direction)
        {
            return null;
        }

        return Describe(subject, direction, window, time);
    }

    static Finding Describe(DirectionSubject subject, ConnectionDirection direction, int window, long time)
    {
        FullWindowSummary? full = direction.Limits?.FullWindow;
        int held = full is null ? window : Math.Min(full.Bytes, window); // the window of the time in which it was full
        bool isShrunk = held <= MaxShrunkShare * window;
        string size = Quantity.Bytes(isShrunk ? held : window);
        double? ceiling = full?.CeilingBitsPerSecond ?? (subject.Rtt is { Samples: > 0, Median: > 0 } rtt ? window * 8e9 / rtt.Median : null);
        string bound = ceiling is { } known ? $" (at most {Quantity.BitRate(known)})" : string.Empty;
        return subject.Found(new FindingDraft(FindingIds.ReceiveWindowLimited)
            .Costs(subject.LostOf(time))
            .WithText(() => new FindingText($"The {subject.Receiver}'s receive window of {size} holds the {subject.Transfer} back{bound}.")
                .Because($"A sender may have one receive window in flight per round trip. "
                    + (isShrunk
                        ? $"While it was full, the {subject.Receiver} offered {size}, and up to {Quantity.Bytes(window)} at other times: it reads more slowly "
                            + $"than data comes."
                        : $"The {subject.Receiver} never offers more than {size}, however fast the path is."))
                .Shown("time the receive window was the limit", subject.OfActive(time), subject.LimitSamples, subject.LongestSpan(LimitState.ReceiveWindow))
                .Shown("largest receive window", $"{Quantity.Bytes(window)}")
                .Shown("most bytes in flight", $"{Quantity.Bytes(direction.MaxInFlightBytes ?? 0)}")
                .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .Shown("goodput", $"{Quantity.BitRate(direction.GoodputBitsPerSecond)}")
                .ShownCounter(direction, LimitState.ReceiveWindow)
                .Advise([
                    .. isShrunk ? (string[])[
                        $"Application on the {subject.Receiver}: read sooner what has arrived: see what the program does between two reads "
                        + $"(disk, database, processor). A larger window does not make it faster."] : [],
                    $"Application on the {subject.Receiver}: do not set SO_RCVBUF; it switches the automatic window off. If it must be set, make it at "
                        + $"least 2 × bandwidth × RTT.",
                    $"Windows {subject.Receiver}: netsh interface tcp show global must say autotuning level normal; Get-NetTCPSetting shows the template in "
                        + $"use.",
                    $"Linux {subject.Receiver}: net.ipv4.tcp_rmem (third value) and net.ipv4.tcp_moderate_rcvbuf=1. Since 6.6 a socket begins with a "
                        + $"quarter of SO_RCVBUF as window where it had half before.",
                    "Network: where window scaling is missing in the SYNs, a firewall or proxy may have removed it.",
                ])));
    }

    /// <summary>Time the receive window held a direction back while it was full but not zero, nanoseconds.</summary>
    public static long TimeOf(in DirectionSubject subject) =>
        Math.Max(subject.TimeIn(LimitState.ReceiveWindow) - subject.Patterns.ZeroWindowTime, 0);

    /// <summary>Whether the receive window held a direction back for a good part of its time.</summary>
    public static bool IsLimited(in DirectionSubject subject) =>
        TimeOf(subject) is > 0 and { } time && time >= MinShare * subject.BusyTime && !HostRule.IsReceiverLate(subject);
}

/// <summary>
/// The receive window is about half, or less, of that of another connection to the same service (story S4: two captures, two kernels). Both
/// connections must be limited by it.
/// </summary>
sealed class HalvedWindowRule
{
    const double MaxRatio = 0.6;

    readonly Dictionary<Service, Widest> _widest = [];

    /// <summary>Looks at a connection.</summary>
    public void Add(Connection connection)
    {
        Add(new DirectionSubject(connection, true));
        Add(new DirectionSubject(connection, false));
    }

    /// <summary>Judges connections, when all have been looked at.</summary>
    public IEnumerable<Finding> Judge(IReadOnlyList<Connection> connections)
    {
        foreach (Connection connection in connections)
        {
            for (int side = 0; side < 2; side++)
            {
                var subject = new DirectionSubject(connection, side == 0);
                if (IsLimited(subject) && _widest[Service.Of(subject)] is var other && Window(subject) <= MaxRatio * other.Window)
                {
                    yield return Describe(subject, other);
                }
            }
        }
    }

    void Add(in DirectionSubject subject)
    {
        if (IsLimited(subject) && (!_widest.TryGetValue(Service.Of(subject), out Widest known) || Window(subject) > known.Window))
        {
            _widest[Service.Of(subject)] = new(Window(subject), subject.Connection.Index, subject.Direction.GoodputBitsPerSecond);
        }
    }

    static bool IsLimited(in DirectionSubject subject) => ReceiveWindowRule.IsLimited(subject) && Window(subject) > 0;

    static int Window(DirectionSubject subject) => subject.Direction.MaxReceiveWindowBytes ?? 0;

    static Finding Describe(DirectionSubject subject, Widest other)
    {
        string here = Quantity.Bytes(Window(subject));
        string there = Quantity.Bytes(other.Window);
        long saved = (long)(ReceiveWindowRule.TimeOf(subject) * (1 - ((double)Window(subject) / other.Window)));
        return subject.Found(new FindingDraft(FindingIds.ReceiveWindowHalved)
            .Costs(saved)
            .WithConfidence(0.85)
            .WithText(() => new FindingText($"The {subject.Receiver}'s receive window is {here} here and {there} on connection {other.Index}.")
                .Because($"The same service, the same kind of transfer, and a window so much smaller: the {subject.Receiver} runs another kernel or build, "
                    + $"or other buffer settings. Goodput falls in proportion.")
                .Shown("largest receive window here", $"{here}")
                .Shown("largest receive window on the other connection", $"{there}")
                .Shown("goodput here and there", $"{Quantity.BitRate(subject.Direction.GoodputBitsPerSecond)} and "
                    + $"{Quantity.BitRate(other.Goodput)}")
                .Advise(
                    $"Compare operating system, kernel or build, and buffer settings of both {subject.Receiver}s.",
                    $"Linux {subject.Receiver}: from 6.6 on a socket with SO_RCVBUF begins with a window of a quarter of it, before with half: double "
                        + $"SO_RCVBUF, or do not set it.",
                    $"Windows {subject.Receiver}: compare netsh interface tcp show global and Get-NetTCPSetting of both.")));
    }

    // The connection with the largest window; of several it is the one that was looked at first.
    readonly record struct Widest(int Window, int Index, double? Goodput);

    // The server by name where it is known: it may have several addresses.
    readonly record struct Service(string? Name, IpAddress Address, ushort Port, bool IsFromClient)
    {
        public static Service Of(in DirectionSubject subject)
        {
            Connection connection = subject.Connection;
            IpAddress address = connection.ServerName is null ? connection.Server.Address : default;
            return new(connection.ServerName, address, connection.Server.Port, subject.IsFromClient);
        }
    }
}

/// <summary>The receiver's window was zero: its application did not read.</summary>
static class ZeroWindowRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Patterns is not { ZeroWindow: { } first, ZeroWindowTime: > 0 and { } closed } || subject.ActiveTime == 0)
        {
            return null;
        }

        return Describe(subject, first, closed);
    }

    static Finding Describe(DirectionSubject subject, TracePosition first, long closed)
    {
        // A window of zero costs nothing while there is nothing to send, and time in which the sender waited for something else is reported as that.
        long limited = subject.Direction.Limits is null ? subject.ActiveTime : subject.TimeIn(LimitState.ReceiveWindow);
        long waited = Math.Min(subject.Patterns.ZeroWindowWait, limited);
        string wait = waited == 0 ? ", while nothing waited to be sent" : string.Empty;

        return subject.Found(new FindingDraft(FindingIds.ZeroWindow)
            .Costs(waited)
            .WithConfidence(0.95)
            .WithText(() => new FindingText($"The application on the {subject.Receiver} did not read: its window was zero for "
                + $"{Quantity.Duration(closed)}{wait}.")
                .Because($"A window of zero says that the receive buffer is full. The network delivered; the program on the {subject.Receiver} (or what it "
                    + $"waits for: disk, database, lock, garbage collection) is too slow.")
                .Shown(
                    "time with a window of zero",
                    $"{Quantity.Duration(closed)}",
                    subject.Direction.ZeroWindows,
                    first,
                    subject.Patterns.WindowOpened ?? new(first.Packet, subject.Connection.Last))
                .Shown("of this, while data waited to be sent", subject.OfActive(waited))
                .Shown("probes of the closed window", $"{subject.Direction.ZeroWindowProbes}")
                .Advise(
                    $"Application on the {subject.Receiver}: find out what it does at that moment (CPU, disk, locks); read in a thread of its own, or with "
                        + $"a larger buffer.",
                    $"Windows {subject.Receiver}: Windows Performance Recorder with CPU and disk shows what the process waits for.",
                    $"Linux {subject.Receiver}: ss -tnm shows the receive queue; perf trace -p PID shows the pauses between reads.")));
    }
}
