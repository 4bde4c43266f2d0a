using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The sender's buffer holds less than the path: a batch goes out, and the next waits for its acknowledgment (story S3).</summary>
static class SendBufferRule
{
    const double LeastShare = 0.1;

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.SendBuffer);
        if (subject.Share(LimitState.SendBuffer) < LeastShare || (subject.Direction.Limits?.SendBufferBytes ?? subject.Direction.MaxInFlightBytes) is not { } batch)
        {
            return null;
        }

        return Word(subject, batch, time);
    }

    // Without the SYNs the scale of the receive window is not known, and one that is full looks like a full buffer.
    static Finding Word(DirectionSubject subject, int batch, long time)
    {
        bool isWindowKnown = subject.Direction.MaxReceiveWindowBytes is not null || subject.Direction.Limits?.Evidence is Evidence.Events;
        return subject.Found(new FindingDraft(FindingIds.SendBufferLimited)
            .Costs(time)
            .Sure(isWindowKnown ? 0.9 : 0.4)
            .Worded(() => Text(subject, Quantity.Bytes(batch), time, isWindowKnown)));
    }

    static FindingText Text(DirectionSubject subject, string size, long time, bool isWindowKnown)
    {
        ConnectionDirection direction = subject.Direction;
        string who = isWindowKnown ? $"The {subject.Sender}'s send buffer" : $"The {subject.Sender}'s send buffer or the {subject.Receiver}'s receive window";
        string rest = isWindowKnown
            ? "The path and the receiver would take more."
            : "Which of the two is full does not show: the scale of the window stands in the SYNs, which were not captured; a capture that begins with the connection tells.";
        string window = direction.MaxReceiveWindowBytes is { } bytes ? Quantity.Bytes(bytes) : "not known";
        return new FindingText($"{who}, full with {size} in flight, holds the {subject.Transfer} back.")
            .Because($"The {subject.Sender} hands out {size}, waits one round trip for the acknowledgment, and hands out the next batch. {rest} The size set for a buffer is this or more: data that waits for a full segment is in it as well, a write waits until there is room for it, and Linux counts the memory around the data.")
            .Shown("time the send buffer was the limit", subject.OfActive(time), subject.LimitSamples, subject.PlaceOf(LimitState.SendBuffer))
            .Shown("in flight when it was full", $"{size}")
            .Shown("receive window", $"{window}")
            .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
            .ShownCounter(direction, LimitState.SendBuffer)
            .Advise(
                $"Application on the {subject.Sender}: do not set SO_SNDBUF, or set it to at least bandwidth × RTT (1 MB serves most paths).",
                $"Windows {subject.Sender}: without SO_SNDBUF the stack sizes the buffer itself (dynamic send buffering); setting it switches that off. Keep several sends outstanding (overlapped I/O).",
                $"Linux {subject.Sender}: leave SO_SNDBUF unset, so that net.ipv4.tcp_wmem rules; its third value is the most a connection may take.");
    }
}
