using System;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The application gives the stack nothing to send.</summary>
static class ApplicationRule
{
    const double LeastShare = 0.5;
    const long LeastTime = 100_000_000; // ns

    static readonly FindingText OfClient = Words("client", "upload");
    static readonly FindingText OfServer = Words("server", "download");

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = TimeOf(subject);
        if (time < LeastShare * subject.BusyTime || time < LeastTime)
        {
            return null;
        }

        return Word(subject, time);
    }

    // Time in which the server had a request to answer is told as that (slow-answers), whichever end waits in it.
    static long TimeOf(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.Application);
        return SlowAnswersRule.Judge(subject.Connection) is null ? time : Math.Max(time - subject.Connection.FromServer.Answers!.BriefTime, 0);
    }

    static Finding Word(DirectionSubject subject, long time) =>
        subject.Found(new FindingDraft(FindingIds.AppLimited)
            .Costs(time)
            .Sure(0.85)
            .Worded(() => (subject.IsFromClient ? OfClient : OfServer)
                .Shown("time the application gave no data", subject.OfActive(time), subject.LimitSamples, subject.PlaceOf(LimitState.Application, LimitState.Idle))
                .Shown("pauses longer than a second", Quantity.Duration(subject.TimeIn(LimitState.Idle)))
                .ShownCounter(subject.Direction, LimitState.Application)));

    // No finding is as frequent: what it says of every connection is put together once.
    static FindingText Words(string sender, string transfer) =>
        new FindingText($"The application on the {sender} is what the {transfer} waits for, not the network.")
            .Because($"The congestion window, the receive window and the send buffer had room, everything sent was acknowledged, and the program on the {sender} gave no more data: it computes, reads a disk, waits for another request, or sends in small steps.")
            .Advise(
                $"Application on the {sender}: measure the time between its writes; ask for the next piece before the last is done (pipelining, read-ahead).",
                "Many small request-response steps: fewer, larger ones; several at a time.",
                $"Windows {sender}: Windows Performance Recorder (CPU, disk, wait analysis).",
                $"Linux {sender}: strace -f -T -e trace=network -p PID.");
}
