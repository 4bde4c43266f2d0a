using System;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The application has nothing to send.</summary>
static class ApplicationRule
{
    const double MinShare = 0.5;
    const long MinTimeNanos = 100_000_000;

    static readonly FindingText OfClient = TextOf("client", "upload");
    static readonly FindingText OfServer = TextOf("server", "download");

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = TimeOf(subject);
        if (time < MinShare * subject.BusyTime || time < MinTimeNanos)
        {
            return null;
        }

        return Describe(subject, time);
    }

    // Time in which the server had a request to answer is reported as slow-answers, whichever end is waiting.
    static long TimeOf(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.Application);
        return SlowAnswersRule.Judge(subject.Connection) is null ? time : Math.Max(time - subject.Connection.FromServer.Answers!.BriefTime, 0);
    }

    static Finding Describe(DirectionSubject subject, long time) =>
        subject.Found(new FindingDraft(FindingIds.AppLimited)
            .Costs(time)
            .AsNote() // most programs pause by their nature; where one keeps its peer waiting, that is slow-answers
            .WithConfidence(0.85)
            .WithText(() => (subject.IsFromClient ? OfClient : OfServer)
                .Shown(
                    "time the application gave no data",
                    subject.OfActive(time),
                    subject.LimitSamples,
                    subject.LongestSpan(LimitState.Application, LimitState.Idle))
                .Shown("pauses longer than a second", Quantity.Duration(subject.TimeIn(LimitState.Idle)))
                .ShownCounter(subject.Direction, LimitState.Application)));

    // No finding is more frequent: the text common to all of them is built once.
    static FindingText TextOf(string sender, string transfer) =>
        new FindingText($"The application on the {sender} is what the {transfer} waits for, not the network.")
            .Because($"The congestion window, the receive window and the send buffer had room, everything sent was acknowledged, and the program on the "
                + $"{sender} gave no more data: it computes, reads a disk, waits for another request, or sends in small steps.")
            .Advise(
                $"Application on the {sender}: measure the time between its writes; ask for the next piece before the last is done (pipelining, read-ahead).",
                "Many small request-response steps: fewer, larger ones; several at a time.",
                $"Windows {sender}: Windows Performance Recorder (CPU, disk, wait analysis).",
                $"Linux {sender}: strace -f -T -e trace=network -p PID.");
}

/// <summary>The server has the whole request and takes long to start its answer.</summary>
static class SlowAnswersRule
{
    const long MinTimeNanos = 100_000_000;
    const double MinShare = 0.2; // of the connection's time

    public static Finding? Judge(Connection connection)
    {
        if (connection.FromServer.Answers is not { Time: >= MinTimeNanos } answers || answers.Time < MinShare * (connection.Last - connection.Start))
        {
            return null;
        }

        return Describe(connection, answers);
    }

    static Finding Describe(Connection connection, AnswerSummary answers) =>
        new FindingDraft(FindingIds.SlowAnswers)
            .Costs(answers.Time)
            .WithConfidence(0.85)
            .WithText(() => new FindingText($"The server took {Quantity.Duration(answers.Time)} to begin its {Quantity.Count(answers.Count, "answer")}: its "
                + $"program is what the client waits for.")
                .Because($"Each request had arrived whole and everything before it was acknowledged; the first byte of the answer came that much later than "
                    + $"the way there and back takes. The program computes, reads a disk, or waits for another server.")
                .Shown("from the last byte of a request to the first of its answer, round trip left out", $"{Quantity.Duration(answers.Time)}", answers.Count)
                .Shown("longest", $"{Quantity.Duration(answers.Longest.To - answers.Longest.From)}", null, answers.Longest)
                .Advise(
                    "Application on the server: its own log or trace of that request; what it waits for (database, disk, another server).",
                    "Windows server: Windows Performance Recorder (CPU, disk, wait analysis).",
                    "Linux server: perf trace -p PID, strace -f -T -p PID."))
            .On(connection, isFromClient: false);
}
