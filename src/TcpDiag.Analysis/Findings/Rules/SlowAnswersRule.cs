namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The server has the whole request and takes long to begin its answer.</summary>
static class SlowAnswersRule
{
    const long LeastTime = 100_000_000; // ns
    const double LeastPart = 0.2; // of the connection's time

    public static Finding? Judge(Connection connection)
    {
        if (connection.FromServer.Answers is not { Time: >= LeastTime } answers || answers.Time < LeastPart * (connection.Last - connection.Start))
        {
            return null;
        }

        return Word(connection, answers);
    }

    static Finding Word(Connection connection, AnswerSummary answers) =>
        new FindingDraft(FindingIds.SlowAnswers)
            .Costs(answers.Time)
            .Sure(0.85)
            .Worded(() => new FindingText($"The server took {Quantity.Duration(answers.Time)} to begin its {Quantity.Count(answers.Count, "answer")}: its program is what the client waits for.")
                .Because($"Each request had arrived whole and everything before it was acknowledged; the first byte of the answer came that much later than the way there and back takes. The program computes, reads a disk, or waits for another server.")
                .Shown("from the last byte of a request to the first of its answer, round trip left out", $"{Quantity.Duration(answers.Time)}", answers.Count)
                .Shown("longest", $"{Quantity.Duration(answers.Longest.To - answers.Longest.From)}", null, answers.Longest)
                .Advise(
                    "Application on the server: its own log or trace of that request; what it waits for (database, disk, another server).",
                    "Windows server: Windows Performance Recorder (CPU, disk, wait analysis).",
                    "Linux server: perf trace -p PID, strace -f -T -p PID."))
            .On(connection, isFromClient: false);
}
