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

    static Finding Word(DirectionSubject subject, int batch, long time)
    {
        ConnectionDirection direction = subject.Direction;
        string size = Quantity.Bytes(batch);
        return subject.Found(new FindingDraft(FindingIds.SendBufferLimited)
            .Costs(time)
            .Worded(() => new FindingText($"The {subject.Sender}'s send buffer, full with {size} in flight, holds the {subject.Transfer} back.")
                .Because($"The {subject.Sender} hands out {size}, waits one round trip for the acknowledgment, and hands out the next batch. The path and the receiver would take more. The size set for the buffer is this or more: data that waits for a full segment is in it as well, a write waits until there is room for it, and Linux counts the memory around the data.")
                .Shown("time the send buffer was the limit", subject.OfActive(time), subject.LimitSamples, subject.PlaceOf(LimitState.SendBuffer))
                .Shown("in flight when it was full", $"{size}")
                .Shown("receive window", $"{Quantity.Bytes(direction.MaxReceiveWindowBytes ?? 0)}")
                .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .ShownCounter(direction, LimitState.SendBuffer)
                .Advise(
                    $"Application on the {subject.Sender}: do not set SO_SNDBUF, or set it to at least bandwidth × RTT (1 MB serves most paths).",
                    $"Windows {subject.Sender}: without SO_SNDBUF the stack sizes the buffer itself (dynamic send buffering); setting it switches that off. Keep several sends outstanding (overlapped I/O).",
                    $"Linux {subject.Sender}: leave SO_SNDBUF unset, so that net.ipv4.tcp_wmem rules; its third value is the most a connection may take.")));
    }
}
