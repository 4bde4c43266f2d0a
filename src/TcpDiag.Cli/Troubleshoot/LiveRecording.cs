using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Analysis.Results;
using TcpDiag.Capture;
using TcpDiag.Capture.Windows;
using TcpDiag.Cli.Commands;
using TcpDiag.Cli.Explain;
using TcpDiag.Doctor;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Records while something happens: a file is fetched, or the user does what is slow. The checks of the machine run beside it.</summary>
/// <param name="request">What is asked.</param>
/// <param name="sentences">The language.</param>
/// <param name="invocation">Where to write, and the interruption, which ends the recording and not the answer.</param>
sealed class LiveRecording(LiveRequest request, Sentences sentences, Invocation invocation)
{
    // The last acknowledgments and the end of the connection.
    static readonly TimeSpan Farewell = TimeSpan.FromMilliseconds(500);

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
        var settings = new CaptureSettings { Match = request.Match(), Duration = request.Limit, MaxBytes = MaxBytes };
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(invocation.Interruption);
        using var announced = new Announcement();
        using var ofRecorder = new Invocation { Output = TextWriter.Null, Error = announced, Surroundings = invocation.Surroundings };
        Task<CaptureSummary> recording = Task.Factory.StartNew(
            () => CaptureCommand.Record(settings, EngineChoice.Make(EngineChoice.Auto, build: null), new(path, IsForced: false), takeOver: false, ofRecorder, stop.Token),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (OperatingSystem.IsWindows())
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.prepare"));
        }

        announced.Wait(recording);
        DateTimeOffset begin = TimeProvider.System.GetUtcNow();
        DoctorSources sources = DoctorCommand.Sources(invocation, request.Target) with { TakeSnapshot = null };
        Task<IReadOnlyList<Check>> checks = Task.Factory.StartNew(
            () => Examination.Run(sources, CancellationToken.None),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Task<IReadOnlyList<Check>> meanwhile;
        try
        {
            if (!recording.IsCompleted)
            {
                Happen(path, recording, stop.Token);
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

    void Happen(string path, Task recording, CancellationToken stop)
    {
        if (request.Peer is { } peer)
        {
            var traffic = new PeerTraffic(peer, request.IsPeerRecording, Path.GetDirectoryName(path)!, request.Limit, stop);
            Outcome = traffic.Run((isDownload, outcome) => Say(isDownload ? "now.get" : "now.put", isDownload ? "got" : "put", peer.Address.ToString(), outcome));
            FarRecordings = traffic.Recordings;
            recording.Wait(Farewell, CancellationToken.None);
        }
        else if (request.Url is { } url)
        {
            bool isUpload = request.UploadBytes is not null;
            (string now, string then) = isUpload ? ("now.put", "put") : ("now.get", "got");
            Say(now, then, url.ToString(), outcome: null);
            using (var progress = new TransferProgress(sentences, invocation))
            {
                Outcome = HttpTraffic.Run(url, request.UploadBytes, request.Limit, stop, progress.Set);
            }

            Say(now, then, url.ToString(), Outcome);
            recording.Wait(Farewell, CancellationToken.None);
        }
        else if (request.IsAgreed || request.IsHappening)
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.wait", Sentences.Time(request.Limit)));
            WaitForEnd(path, recording);
        }
        else
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.user"));
            WaitForEnd(path, recording, Task.Run(invocation.Surroundings.Input.ReadLine, CancellationToken.None));
        }
    }

    // Of everything, what leads may have nothing to do with what the user is about to do. Windows lets nobody read a recording before it has ended.
    void WaitForEnd(string path, params Task[] ends)
    {
        bool isLookedAt = OperatingSystem.IsLinux() && (request.Target is not null || request.Process is not null || request.IsHappening);
        using var end = new CancellationTokenSource();
        Task<TimeSpan?> looking = isLookedAt
            ? Task.Factory.StartNew(() => LiveLook.WaitForEnough(path, end.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            : new TaskCompletionSource<TimeSpan?>().Task;
        Task.WaitAny([.. ends, looking], CancellationToken.None);
        end.Cancel();
        if (isLookedAt && looking.GetAwaiter().GetResult() is { } time)
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("now.enough", new Figure(Quantity.Duration((long)time.TotalNanoseconds))));
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

    // The recorder says in a line that it records; on Windows that comes after the settings were read. What it says is for engineers.
    sealed class Announcement : StringWriter
    {
        readonly ManualResetEventSlim _isThere = new();

        public override Encoding Encoding => Encoding.UTF8;

        public override void WriteLine(string? value)
        {
            base.WriteLine(value);
            if (value?.StartsWith(CaptureDocuments.Announcement, StringComparison.Ordinal) is true)
            {
                _isThere.Set();
            }
        }

        public void Wait(Task recording) => WaitHandle.WaitAny([_isThere.WaitHandle, ((IAsyncResult)recording).AsyncWaitHandle]);

        protected override void Dispose(bool disposing)
        {
            _isThere.Dispose();
            base.Dispose(disposing);
        }
    }
}
