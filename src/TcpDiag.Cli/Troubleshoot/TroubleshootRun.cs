using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Capture;
using TcpDiag.Cli.Analyzing;
using TcpDiag.Cli.Explain;
using TcpDiag.Doctor;
using TcpDiag.Doctor.Answers;
using TcpDiag.Lab;
using TcpDiag.Report;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Records if asked to, answers, and leaves files for whoever helps.</summary>
/// <param name="parse">The command line that is run.</param>
/// <param name="sentences">The language.</param>
sealed class TroubleshootRun(ParseResult parse, Sentences sentences)
{
    /// <summary>Name of the bundle in the folder.</summary>
    public const string BundleName = "recording.tcpdiag";

    /// <summary>In front of the name of what is not redacted yet.</summary>
    public const string OriginalPrefix = "original-";

    readonly Invocation _invocation = (Invocation)parse.InvocationConfiguration;
    readonly IAnsiConsole _console = Terminal.Output(parse);

    /// <summary>Records, answers, and writes the files.</summary>
    /// <exception cref="OutputTakenException">The folder is there already.</exception>
    /// <exception cref="CaptureException">There are no rights, or the recording failed.</exception>
    /// <exception cref="LabException">The machine to send to refuses, or is not there.</exception>
    public int Live(LiveRequest request)
    {
        string folder = Path.GetFullPath(request.Folder);
        if (Path.Exists(folder))
        {
            throw new OutputTakenException(sentences.Of("ask.folder", folder));
        }

        RequireRights();
        request = new Questions(sentences, _invocation).Ask(request);
        if (!IsAgreed(request, folder))
        {
            Failure.Report(_invocation.Error, sentences.Of("ask.refused"));
            return ExitCode.Interrupted;
        }

        int code = Record(request, folder, out Diagnosis diagnosis, out TransferResult? first);
        return first is not null && request.Apply.Count > 0 ? new ChangeTrial(request, sentences, _invocation).Run(diagnosis.Steps, first) : code;
    }

    // Nothing is left of a recording that was not answered from: it holds names and addresses.
    int Record(LiveRequest request, string folder, out Diagnosis diagnosis, out TransferResult? first)
    {
        Directory.CreateDirectory(folder);
        try
        {
            string original = Path.Combine(folder, OriginalPrefix + BundleName);
            DateTimeOffset begun = TimeProvider.System.GetUtcNow();
            var recording = new LiveRecording(request, sentences, _invocation);
            IReadOnlyList<Check> checks = recording.Run(original);
            TimeSpan time = TimeProvider.System.GetUtcNow() - begun;
            first = recording.Outcome;
            var words = new AnswerWords(sentences)
            {
                IsApplyOffered = request.Url is not null && request.Apply.Count == 0,
                Points = SeenFrom([(original, sentences.Of("both.here")), .. recording.FarRecordings.Select(file => (file, sentences.Of("both.there")))]),
            };
            int code = Answer(new SeveralPoints([original], null), checks, first?.End ?? TransferEnd.Complete, words, out diagnosis);
            CustomerAnswer answer = words.Of(diagnosis,
            [
                sentences.Of("recorded.what", What(request)),
                sentences.Of("recorded.when", Time(begun), new Figure(Quantity.Duration((long)time.TotalNanoseconds))),
                sentences.Of(request.WithNames ? "recorded.names" : "recorded.redacted"),
            ]);
            Write(new AnswerFiles(request, folder, sentences, _invocation).Write(
                [original, .. recording.FarRecordings], answer, _console.Profile.Width).Prepend(new(string.Empty)));
            return code;
        }
        catch (Exception ended) when (ended is LabException or OperationCanceledException)
        {
            Directory.Delete(folder, recursive: true);
            throw;
        }
    }

    /// <summary>Takes back what was changed and stayed.</summary>
    /// <param name="isForced">Whether values that someone set since are overwritten.</param>
    public int Undo(bool isForced)
    {
        RequireRights();
        return new ChangeUndo(sentences, _invocation).Undo(isForced);
    }

    /// <summary>Takes back what an interrupted change has left, where there are rights to.</summary>
    public void Recover()
    {
        if (_invocation.Surroundings.IsPrivileged())
        {
            new ChangeUndo(sentences, _invocation).Recover();
        }
    }

    void RequireRights()
    {
        if (!_invocation.Surroundings.IsPrivileged())
        {
            throw new CaptureException(sentences.Of(
                "ask.rights", OperatingSystem.IsWindows() ? sentences.Of("rights.windows") : "sudo tcpdiag troubleshoot …"));
        }
    }

    /// <summary>Answers from traces that were taken before; of several points, what they show together too.</summary>
    /// <param name="files">The traces.</param>
    public int Recorded(string[] files)
    {
        var words = new AnswerWords(sentences) { Points = SeenFrom([.. files.Select(file => (file, Path.GetFileName(file)))]) };
        var points = SeveralPoints.Choose(files, isWhole: true, _invocation.Error, _invocation.InterruptionOfReading);
        return Answer(points, checks: null, TransferEnd.Complete, words, out _);
    }

    AnswerList? SeenFrom(IReadOnlyList<(string Path, string Name)> files) => new BothEnds(sentences).Of(files, _invocation.InterruptionOfReading);

    /// <summary>Answers from traces.</summary>
    /// <param name="points">The traces.</param>
    /// <param name="checks">What checks of the machine found beside the settings in the snapshot of a bundle; null for none.</param>
    /// <param name="transfer">How the transfer ended that was recorded.</param>
    /// <param name="words">How it is said.</param>
    /// <param name="diagnosis">The answer.</param>
    /// <returns>The exit code of the answer.</returns>
    int Answer(SeveralPoints points, IReadOnlyList<Check>? checks, TransferEnd transfer, AnswerWords words, out Diagnosis diagnosis)
    {
        using TraceReader reader = TraceFile.Open(points.Files);
        SystemSnapshot? snapshot = SnapshotOf(points.Files);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, AnalysisOptions.Default with { Snapshot = snapshot }, _invocation.InterruptionOfReading);
        analysis = points.Judge(analysis, _invocation.InterruptionOfReading);
        IReadOnlyList<Check> known = snapshot is null ? checks ?? [] : Examination.Judge(snapshot, checks ?? []);
        diagnosis = Diagnostician.Of(analysis, known, snapshot, transfer);
        Write(new AnswerText(_console.Profile.Width).Of(words.Of(diagnosis)));
        ProblemReport.Write(Terminal.Error(parse), reader);
        return diagnosis is { Connections: 0, Suspect: null } ? ExitCode.NoResult : ExitCode.Of(diagnosis.Side);
    }

    bool IsAgreed(LiveRequest request, string folder)
    {
        foreach (string line in (string[])
            [
                sentences.Of("will.what", What(request)),
                sentences.Of("will.where", folder),
                sentences.Of("will.size", new Figure(Quantity.Bytes(LiveRecording.MaxBytes)), Sentences.Time(request.Limit)),
                sentences.Of(request.Apply.Count > 0 ? "will.apply" : "will.change"),
            ])
        {
            PlainMarkdown.Write(_invocation.Error, line);
        }

        return request.IsAgreed || new Questions(sentences, _invocation).IsYes("ask.consent");
    }

    static string What(LiveRequest request) =>
        request.Process ?? (request.Target is { } target ? FormattableString.Invariant($"{target.Host}:{target.Port}") : "TCP");

    static string Time(DateTimeOffset time) => time.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);

    static SystemSnapshot? SnapshotOf(string[] files) =>
        files.Select(BundleContents.Of).Select(bundle => bundle?.Snapshot).FirstOrDefault(found => found is not null);

    void Write(IEnumerable<PlainLine> lines)
    {
        foreach (PlainLine line in lines)
        {
            _console.Write(new Text(line.Text, line.IsHeading ? new Style(decoration: Decoration.Bold) : Style.Plain));
            _console.WriteLine();
        }
    }
}
