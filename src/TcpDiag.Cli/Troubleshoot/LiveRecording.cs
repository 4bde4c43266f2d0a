using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Analysis.Results;
using TcpDiag.Capture;
using TcpDiag.Capture.Windows;
using TcpDiag.Cli.Doctor;
using TcpDiag.Cli.Explain;
using TcpDiag.Cli.Recording;
using TcpDiag.Doctor;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Records while something happens: a file is fetched, or the user does what is slow. The checks of the machine run beside it.</summary>
/// <param name="request">What is asked.</param>
/// <param name="sentences">The language.</param>
/// <param name="invocation">Where to write, and the interruption, which ends the recording and not the answer.</param>
sealed class LiveRecording(LiveRequest request, Sentences sentences, Invocation invocation)
{
    // The last acknowledgments and the end of the connection.
    static readonly TimeSpan Farewell = TimeSpan.FromMilliseconds(500);

    // We end it at the limit, so that nobody looks at what the recorder packs. It ends by itself where we do not.
    static readonly TimeSpan Slack = TimeSpan.FromSeconds(5);

    /// <summary>Most that is written.</summary>
    public const long MaxBytes = 256 << 20;

    /// <summary>What became of what was fetched or sent; null where the user did something.</summary>
    public TransferResult? Outcome { get; private set; }

    /// <summary>What the other machine recorded, beside the bundle.</summary>
    public IReadOnlyList<string> FarRecordings { get; private set; } = [];

    /// <summary>Records.</summary>
    /// <param name="path">The bundle.</param>
    /// <returns>What the checks found, but for the settings, of which the bundle has a snapshot.</returns>
    /// <exception cref="CaptureException">The recording failed.</exception>
    /// <exception cref="TcpDiag.Lab.LabException">The machine to send to refuses, or is not there.</exception>
    public IReadOnlyList<Check> Run(string path)
    {
        var settings = new CaptureSettings { Match = request.Match(), Duration = request.Limit + Slack, MaxBytes = MaxBytes };
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(invocation.Interruption);
        using var ofRecorder = new Invocation { Output = TextWriter.Null, Error = TextWriter.Null, Surroundings = invocation.Surroundings };
        var begun = new TaskCompletionSource<GrowingTrace>(TaskCreationOptions.RunContinuationsAsynchronously);
        var target = new CaptureTarget(path, IsForced: false) { Begun = begun.SetResult };
        Task<CaptureSummary> recording = Task.Factory.StartNew(
            () => CaptureCommand.Record(settings, EngineChoice.Make(EngineChoice.Auto, build: null), target, takeOver: false, ofRecorder, stop.Token),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (OperatingSystem.IsWindows())
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.prepare"));
        }

        Task.WaitAny(begun.Task, recording);
        DateTimeOffset begin = TimeProvider.System.GetUtcNow();
        DoctorSources sources = DoctorCommand.Sources(invocation, request.Target) with { TakeSnapshot = null };
        Task<IReadOnlyList<Check>> checks = Task.Factory.StartNew(
            () => Examination.Run(sources, CancellationToken.None),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Task<IReadOnlyList<Check>> meanwhile;
        try
        {
            if (begun.Task.IsCompleted && !recording.IsCompleted)
            {
                Happen(begun.Task.Result, recording, stop.Token);
                invocation.Error.WriteLine();
            }
        }
        finally
        {
            stop.Cancel();
            meanwhile = Task.Run(() => Examination.Meanwhile(sources, begin, CancellationToken.None), CancellationToken.None);
            Task.WaitAny(recording);
        }

        recording.GetAwaiter().GetResult(); // throws what ended it
        return [.. checks.GetAwaiter().GetResult(), .. meanwhile.GetAwaiter().GetResult()];
    }

    void Happen(GrowingTrace trace, Task recording, CancellationToken stop)
    {
        if (request.Peer is { } peer)
        {
            SendBothWays(peer, stop);
            recording.Wait(Farewell, CancellationToken.None);
        }
        else if (request.Url is { } url)
        {
            Transfer(url, trace, stop);
            recording.Wait(Farewell, CancellationToken.None);
        }
        else if (request.IsAgreed || request.IsHappening)
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.wait", Sentences.Time(request.Limit)));
            WaitForEnd(trace, recording);
        }
        else
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.user"));
            WaitForEnd(trace, recording, Task.Run(invocation.Surroundings.Input.ReadLine, CancellationToken.None));
        }
    }

    void SendBothWays(PeerEndpoint peer, CancellationToken stop)
    {
        var traffic = new PeerTraffic(peer, request.IsPeerRecording, Path.GetFullPath(request.Folder), request.Limit, stop);
        Outcome = traffic.Run((isDownload, outcome) => Say(isDownload ? "now.get" : "now.put", isDownload ? "got" : "put", peer.Address.ToString(), outcome));
        FarRecordings = traffic.Recordings;
    }

    // A change is judged by whole transfers: one that is to be made ends by itself.
    void Transfer(Uri url, GrowingTrace trace, CancellationToken stop)
    {
        bool isUpload = request.UploadBytes is not null;
        (string now, string then) = isUpload ? ("now.put", "put") : ("now.get", "got");
        Say(now, then, url.ToString(), outcome: null);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stop);
        TimeSpan? enough;
        using (var progress = new TransferProgress(sentences, invocation))
        {
            Task transfer = Task.Factory.StartNew(
                () => Outcome = HttpTraffic.Run(url, request.UploadBytes, request.Limit, ending.Token, progress.Set),
                CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            enough = request.Apply.Count > 0 ? null : LiveLook.WaitForEnough(trace, request.Limit + Slack, transfer);
            if (enough is not null)
            {
                ending.Cancel();
            }

            transfer.GetAwaiter().GetResult();
        }

        Say(now, then, url.ToString(), Outcome);
        SayEnough(enough);
        if (enough is null && Outcome is { IsCutShort: true } && !stop.IsCancellationRequested)
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.limit"));
        }
    }

    // Of everything, what leads may have nothing to do with what the user is about to do.
    void WaitForEnd(GrowingTrace trace, params Task[] ends)
    {
        if (request.Target is not null || request.Process is not null || request.IsHappening)
        {
            SayEnough(LiveLook.WaitForEnough(trace, request.Limit, ends));
        }
        else
        {
            Task.WaitAny(ends, request.Limit);
        }
    }

    void SayEnough(TimeSpan? time)
    {
        if (time is { } enough)
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.enough", new Figure(Quantity.Duration((long)enough.TotalNanoseconds))));
        }
    }

    // Before a transfer, and behind it.
    void Say(string now, string then, string where, TransferResult? outcome)
    {
        if (outcome is null)
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of(now, where));
            return;
        }

        string carried = sentences.Of(then, new Figure(Quantity.Bytes(outcome.Bytes)), new Figure(Quantity.Duration((long)outcome.Time.TotalNanoseconds)));
        PlainMarkdown.Write(invocation.Error, outcome.Error is { } error ? $"{carried} {sentences.Of("got.failed", sentences.Say(error))}" : carried);
    }
}
