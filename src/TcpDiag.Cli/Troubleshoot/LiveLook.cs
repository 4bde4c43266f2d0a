using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Capture;
using TcpDiag.Doctor.Answers;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Looks at a recording while it grows, until it shows enough. What the recorder has saved by then is read, from its beginning each time.</summary>
static class LiveLook
{
    static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    // Of the time between two looks, so that the machine is left to what is slow.
    const int Rest = 4;

    /// <summary>Waits until it shows enough.</summary>
    /// <param name="trace">The recording.</param>
    /// <param name="limit">How long it waits.</param>
    /// <param name="ends">Each of them ends the waiting.</param>
    /// <returns>How long that took; null where it was ended, or where the recording cannot be read before its end.</returns>
    public static TimeSpan? WaitForEnough(GrowingTrace trace, TimeSpan limit, params Task[] ends)
    {
        using var over = new CancellationTokenSource();
        Task<TimeSpan?> looking = Task.Factory.StartNew(
            () => LookAgain(trace, over.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Task.WaitAny([.. ends, looking], limit);
        over.Cancel();
        return looking.GetAwaiter().GetResult();
    }

    static TimeSpan? LookAgain(GrowingTrace trace, CancellationToken end)
    {
        var seen = new EnoughSeen();
        long begun = Stopwatch.GetTimestamp();
        TimeSpan pause = Interval;
        while (!end.WaitHandle.WaitOne(pause))
        {
            long looked = Stopwatch.GetTimestamp();
            TimeSpan time = Stopwatch.GetElapsedTime(begun);
            trace.Flush();
            if (Look(trace.Path, end) is { } diagnosis && seen.Look(diagnosis, time))
            {
                return time;
            }

            TimeSpan took = Stopwatch.GetElapsedTime(looked) * Rest;
            pause = took > Interval ? took : Interval;
        }

        return null;
    }

    // Null where nothing can be read yet.
    static Diagnosis? Look(string path, CancellationToken end)
    {
        try
        {
            using TraceReader reader = TraceFile.Open(path);
            return Diagnostician.Of(TraceAnalyzer.Analyze(reader, AnalysisOptions.Default, end), [], snapshot: null);
        }
        catch (Exception exception) when (
            exception is IOException or UnauthorizedAccessException or TraceFormatException or TraceInputException or OperationCanceledException)
        {
            return null;
        }
    }
}
