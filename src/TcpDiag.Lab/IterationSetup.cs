using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;

namespace TcpDiag.Lab;

/// <summary>
/// What a run on one machine and a run between two have in common: the flow and its time, the files, the recorder's command line, the form of the
/// result.
/// </summary>
sealed class IterationSetup(LabRunSettings settings, PlannedIteration plan, string folder)
{
    /// <summary>What starting and ending the processes takes, beside the flow itself.</summary>
    public static readonly TimeSpan Margin = TimeSpan.FromSeconds(60);

    const long NanosPerTick = 100;

    public FlowSettings Flow { get; } = FlowSettingsReader.Read("flow:", plan.Flow, settings.Scale);

    /// <summary>How this program is started again.</summary>
    public LabProgram Program => settings.Program;

    public PlannedIteration Plan => plan;

    public RecordingSettings Recording => settings.Matrix.Recording;

    /// <summary>The time after which the flow is given up.</summary>
    public TimeSpan Limit => TimeSpan.FromTicks(Flow.LimitNs / NanosPerTick) + Margin;

    /// <summary><see cref="Limit"/> as an option's value.</summary>
    public string LimitText => string.Create(CultureInfo.InvariantCulture, $"{(long)Limit.TotalSeconds}s");

    /// <summary>Bytes kept of a packet, as an option's value.</summary>
    public string SnapText => Recording.SnapBytes.ToString(CultureInfo.InvariantCulture);

    /// <summary>A file of the run.</summary>
    public string FilePath(string name) => Path.Combine(folder, name);

    /// <summary>Starts a recorder that ends with its input.</summary>
    /// <param name="end">Names its file.</param>
    /// <param name="match">What it records.</param>
    /// <param name="withEvents">Whether the kernel's events and samples are recorded too.</param>
    /// <param name="options">Further options, such as the device to record at.</param>
    public ChildProcess StartCapture(string end, string match, bool withEvents, params string[] options) =>
        Recorder.Start(Program, end, match, FilePath(end + Recorder.Extension), Limit, Recording, withEvents, options);

    /// <summary>Writes down what this machine, or each of two namespaces of it, is like.</summary>
    /// <param name="sender">The sender's namespace; null for this machine.</param>
    /// <param name="receiver">The receiver's namespace; null where it is another machine's.</param>
    /// <param name="interruption">Ends it.</param>
    /// <returns>The systems' names; null for what was not asked.</returns>
    public (string? Sender, string? Receiver) WriteSystems(string? sender, string? receiver, CancellationToken interruption) =>
        settings.OpenMachine is not { } open
        ? (null, null)
        : (EndFacts.Write(FilePath("sender-system.json"), sender, open, interruption),
            receiver is null ? null : EndFacts.Write(FilePath("receiver-system.json"), receiver, open, interruption));

    /// <summary>The result, without what only a run over an emulated path has.</summary>
    /// <param name="sent">What the senders counted.</param>
    /// <param name="received">What the receivers counted, in the same order.</param>
    /// <param name="port">The port at which they were awaited.</param>
    /// <param name="capture">What the sender's recorder says.</param>
    /// <param name="interruption">Ends the analysis.</param>
    public IterationResult Result(
        IReadOnlyList<FlowReport> sent, IReadOnlyList<FlowReport> received, int port, CaptureFigures capture, CancellationToken interruption)
    {
        return Failed(null) with
        {
            Fault = capture.FindFault("sender"),
            Sender = FlowReport.Sum(sent),
            Receiver = FlowReport.Sum(received),
            Flows = sent.Count == 1 ? [] : [.. sent.Zip(received, (one, other) => new FlowPair(one.ClientPort, one, other))],
            Analysis = AnalysisFigures.Read(FilePath("sender" + Recorder.Extension), port, interruption),
            SenderCapture = capture,
        };
    }

    /// <summary>The result of a run of which a part failed.</summary>
    /// <param name="reason">What became of it, as a sentence.</param>
    public IterationResult Failed(string? reason) => new()
    {
        Cell = plan.Cell.Name,
        Side = plan.Side.Name,
        Iteration = plan.Iteration,
        Seed = plan.Seed,
        Folder = plan.Folder.Replace(Path.DirectorySeparatorChar, '/'),
        Fault = reason,
        Sender = null,
        Receiver = null,
        Analysis = null,
        SenderCapture = null,
        ReceiverCapture = null,
        Link = null,
    };
}
