using System;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>
/// A window or a buffer is full again and again, but what it holds would allow far more at the round trips of that time: it is emptied late, by a host that
/// does not get to it sooner. So it is on one machine and on fast links, and where a program reads slowly close by.
/// </summary>
static class HostRule
{
    const double MinShare = 0.1;
    const double MinExcess = 2; // what allows so many times more than was sent is not the limit (assumed)
    const double FastBitsPerSecond = 1e9; // what a processor moves through one connection: less is a program's doing (assumed)

    public static Finding? Judge(in DirectionSubject subject)
    {
        long receiver = IsReceiverLate(subject) ? ReceiveWindowRule.TimeOf(subject) : 0;
        long sender = IsSenderLate(subject) ? subject.TimeIn(LimitState.SendBuffer) : 0;
        if (receiver + sender == 0 || receiver + sender < MinShare * subject.BusyTime)
        {
            return null;
        }

        return receiver >= sender ? OfReceiver(subject, receiver, subject.Direction.Limits!.FullWindow!) : OfSender(subject, sender);
    }

    /// <summary>Whether the receive window, while it was full, would have allowed far more: the receiver opened it late.</summary>
    public static bool IsReceiverLate(in DirectionSubject subject) =>
        subject.Direction.Limits?.FullWindow is { } full && full.CeilingBitsPerSecond >= MinExcess * full.BitsPerSecond;

    /// <summary>
    /// Whether what was in flight when the send buffer was full would have allowed far more: the sender's program filled it late. One that writes as soon as
    /// acknowledgments make room is not late, however long they are delayed.
    /// </summary>
    public static bool IsSenderLate(in DirectionSubject subject) =>
        SendBufferRule.IsWindowKnown(subject.Direction) && subject.Direction.Limits is { SendBufferBytes: { } batch } limits
            && Ceiling(subject, batch) >= MinExcess * subject.SendingRate
            && 2 * limits.UncertainSendBuffer >= subject.TimeIn(LimitState.SendBuffer)
            && !subject.IsAway;

    // By the longer round trips, as those are of delayed acknowledgments, for which a blocked writer waits too. Samples of a capture on the way cover a part of
    // the path only: the rest of it comes to them.
    static double? Ceiling(in DirectionSubject subject, int bytes)
    {
        RttSummary rtt = subject.Direction.Rtt;
        long rest = Math.Max((RoundTrip.PathOf(subject.Connection) ?? 0) - rtt.Min, 0);
        return rtt.Samples > 1 && rtt.P95 + rest > 0 ? bytes * 8e9 / (rtt.P95 + rest) : null;
    }

    static Finding OfReceiver(DirectionSubject subject, long time, FullWindowSummary full)
    {
        string size = Quantity.Bytes(full.Bytes);
        string ceiling = Quantity.BitRate(full.CeilingBitsPerSecond);
        return subject.Found(new FindingDraft(FindingIds.HostLimited)
            .Costs(subject.LostOf(time))
            .WithConfidence(0.7)
            .AsNote(full.BitsPerSecond >= FastBitsPerSecond)
            .WithText(() => new FindingText($"The {subject.Receiver} itself takes the {subject.Transfer} no faster: its receive window opens late.")
                .Because($"While the window was full, {size} were in flight. At the round trips of that time they would allow {ceiling}, and "
                    + $"{Quantity.BitRate(full.BitsPerSecond)} got through: its size is not the limit, but how soon the {subject.Receiver} reads what has "
                    + $"arrived.")
                .Shown("time the receive window was full", subject.OfActive(time), subject.LimitSamples, subject.LongestSpan(LimitState.ReceiveWindow))
                .Shown("in flight then, beside the largest window", $"{size} of {Quantity.Bytes(subject.Direction.MaxReceiveWindowBytes)}")
                .Shown("what that allows, and what got through then", $"{ceiling}, {Quantity.BitRate(full.BitsPerSecond)}")
                .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .Shown("goodput", $"{Quantity.BitRate(subject.Direction.GoodputBitsPerSecond)}")
                .Advise(Steps(subject.Receiver, "reads"))));
    }

    // A buffer that is emptied sooner than its program fills it costs nothing that a larger one would save.
    static Finding OfSender(DirectionSubject subject, long time)
    {
        int batch = subject.Direction.Limits!.SendBufferBytes.GetValueOrDefault();
        string size = Quantity.Bytes(batch);
        string ceiling = Quantity.BitRate(Ceiling(subject, batch));
        return subject.Found(new FindingDraft(FindingIds.HostLimited)
            .Costs(subject.LostOf(time))
            .WithConfidence(0.7)
            .AsNote()
            .WithText(() => new FindingText($"The {subject.Sender} itself hands out the {subject.Transfer} no faster: acknowledgments are back before it "
                    + $"has written more.")
                .Because($"Again and again {size} were in flight, and nothing else was ready to be sent. At the round trips of this transfer "
                    + $"they would allow {ceiling}: "
                    + $"the size of the send buffer is not the limit, but how soon the {subject.Sender} fills it.")
                .Shown(
                    "time in which all that was written was in flight",
                    subject.OfActive(time),
                    subject.LimitSamples,
                    subject.LongestSpan(LimitState.SendBuffer))
                .Shown("in flight then", $"{size}")
                .Shown("what that allows", $"{ceiling}")
                .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .Shown("goodput", $"{Quantity.BitRate(subject.Direction.GoodputBitsPerSecond)}")
                .Advise(Steps(subject.Sender, "writes"))));
    }

    static string[] Steps(string host, string does) =>
    [
        "Where that rate is enough there is nothing to mend: neither the network nor TCP's settings are the limit.",
        $"Application on the {host}: see whether it {does} in small pieces, or does other work in the same thread; several connections use several processors.",
        $"Windows {host}: Task Manager by logical processors, and Get-NetAdapterRss, show whether one processor has all the work.",
        $"Linux {host}: mpstat -P ALL 1 and perf top show the same; ethtool -k must show tso, gso and gro as on.",
    ];
}
