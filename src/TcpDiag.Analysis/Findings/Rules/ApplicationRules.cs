using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

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

    // Time in which the server had a request to answer is reported as slow-answers, whichever end is waiting; data that TCP itself held back is no pause, nor
    // is the wait for it at the other end.
    static long TimeOf(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.Application);
        long answers = SlowAnswersRule.Judge(subject.Connection, subject.Companions) is null ? 0 : subject.Connection.FromServer.Answers!.BriefTime;
        long heldBack = NagleRule.TimeOf(subject) + NagleRule.TimeOf(subject with { IsFromClient = !subject.IsFromClient });
        return Math.Max(time - answers - heldBack, 0);
    }

    static Finding Describe(DirectionSubject subject, long time) =>
        subject.Found(new FindingDraft(FindingIds.AppLimited)
            .Costs(time)
            .AsDescription()
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

/// <summary>Small writes and delayed acknowledgments wait for each other.</summary>
static class NagleRule
{
    const int MinCount = 3;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (TimeOf(subject) == 0)
        {
            return null;
        }

        return Describe(subject, subject.Patterns.NagleWaits!);
    }

    /// <summary>Time in which small writes waited for acknowledgments that were held back, nanoseconds; 0 where that may be chance.</summary>
    public static long TimeOf(in DirectionSubject subject) =>
        subject.Patterns.NagleWaits is { Count: >= MinCount } waits && 2 * waits.Count >= waits.Delayed ? waits.Time : 0;

    static Finding Describe(DirectionSubject subject, NagleWaits waits) =>
        subject.Found(new FindingDraft(FindingIds.NagleDelayedAck)
            .Costs(waits.Time)
            .WithConfidence(0.8)
            .WithText(() => new FindingText($"Small writes of the {subject.Sender} waited {Quantity.Duration(waits.Time)} for acknowledgments that the "
                + $"{subject.Receiver} delayed.")
                .Because($"The program writes a message in pieces. The second piece may leave only when the first is acknowledged (Nagle's algorithm), and the "
                    + $"{subject.Receiver} delays that acknowledgment because it has no answer before the message is whole: 40 ms and more on Linux, up to "
                    + $"200 ms on older Windows, 500 ms at most.")
                .Shown(
                    "small segments that left only with a delayed acknowledgment",
                    $"{waits.Count} of {Quantity.Count(waits.Delayed, "delayed acknowledgment")}",
                    waits.Delayed,
                    waits.First,
                    waits.First)
                .Shown("longest delay of such an acknowledgment", $"{Quantity.Duration(waits.Longest)}", null, waits.Worst, waits.Worst)
                .Advise(
                    $"Application on the {subject.Sender}: write each message at once (one buffer, writev, WSASend with several buffers); else set "
                        + "TCP_NODELAY.",
                    $"Linux {subject.Receiver}: TCP_QUICKACK, or quickack 1 on the route (ip route change), if the sender cannot be changed.",
                    $"Windows {subject.Receiver}: Set-NetTCPSetting -SettingName InternetCustom -DelayedAckFrequency 1 has every segment acknowledged at "
                        + "once.")));
}

/// <summary>The server has the whole request and takes long to start its answer.</summary>
static class SlowAnswersRule
{
    const long MinTimeNanos = 100_000_000;
    const double MinShare = 0.2; // of the connection's time
    const long FirstSegmentNanos = 10_000_000; // to send it at 1.2 Mbit/s, which no handshake shows (assumed)

    public static Finding? Judge(Connection connection, Companions? companions)
    {
        if (connection.FromServer.Answers is not { } answers || !IsLong(connection, answers.Time))
        {
            return null;
        }

        // What other data of the client has to wait in, requests and answers have to wait in as well.
        long time = answers.Time - (companions?.QueueWait(connection) ?? 0);
        return IsLong(connection, time) ? Describe(connection, answers with { Time = time }) : null;
    }

    static bool IsLong(Connection connection, long time) => time >= MinTimeNanos && time >= MinShare * (connection.Last - connection.Start);

    // Away from the server: of answers that come so soon the round trip is the larger part, and a slow link as good a reason as the program.
    static bool MayBePath(Connection connection, AnswerSummary answers) =>
        connection.Vantage != Vantage.Server && answers.Time < answers.Count * Math.Min(FirstSegmentNanos, RoundTrip.PathOf(connection) ?? 0);

    static Finding Describe(Connection connection, AnswerSummary answers) =>
        new FindingDraft(FindingIds.SlowAnswers)
            .Costs(answers.Time)
            .AsNote(MayBePath(connection, answers))
            .WithConfidence(0.85)
            .WithText(() => new FindingText(
                $"The server took {Quantity.Duration(answers.Time)} to begin its {(answers.Count == 1 ? "answer" : $"{answers.Count} answers")}: its "
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

/// <summary>The connection was open, and the client, who speaks first, said nothing for long: its program's doing, and often on purpose.</summary>
static class LateRequestRule
{
    const long MinSilenceNanos = 1_000_000_000; // what counts as idle elsewhere
    const int MinRoundTrips = 5; // a satellite is no silence (assumed)

    public static Finding? Judge(Connection connection)
    {
        if (SilenceOf(connection) is not { } silence || silence < MinSilenceNanos || silence < MinRoundTrips * RoundTrip.PathOf(connection))
        {
            return null;
        }

        return Describe(connection, silence);
    }

    // Where the server speaks first the client may wait for that.
    static long? SilenceOf(Connection connection)
    {
        bool isClientFirst = connection.FromClient.FirstData is { } request && (connection.FromServer.FirstData is not { } answer || request <= answer);
        return isClientFirst && connection is { IsHandshakeComplete: true, ConnectTime: { } opening }
            ? connection.FromClient.FirstData!.Value - connection.Start - opening
            : null;
    }

    static Finding Describe(Connection connection, long silence) =>
        new FindingDraft(FindingIds.LateFirstRequest)
            .WithConfidence(0.5)
            .WithText(() => new FindingText($"The client sent its first request {Quantity.Duration(silence)} after the connection was open.")
                .Because($"Neither the network nor the server had anything to do in that time. Programs open connections before they need them (browsers, "
                    + $"connection pools), and then nobody waits; else the client's program was busy, or waited for something else.")
                .Shown("from the end of the handshake to the client's first data", Quantity.Duration(silence), null, Span(connection, silence))
                .Advise(
                    "Application on the client: if somebody waited, what did it do between connecting and its first write? Look at its own log.",
                    "Windows client: Windows Performance Recorder (CPU, disk, wait analysis).",
                    "Linux client: strace -f -T -e trace=network -p PID."))
            .On(connection, isFromClient: true);

    static EvidenceSpan? Span(Connection connection, long silence)
    {
        TraceTime open = connection.Start + (connection.ConnectTime ?? 0);
        return connection.FirstPacket == 0 ? null : new EvidenceSpan(connection.FirstPacket, open, open + silence);
    }
}
