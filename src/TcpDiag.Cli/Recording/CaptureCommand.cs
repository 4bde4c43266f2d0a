using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Analysis.Results;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions.Finish;
using TcpDiag.Capture.Triggers;
using TcpDiag.Capture.Windows;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Traces.Bundles;
using TcpDiag.Wire;

namespace TcpDiag.Cli.Recording;

/// <summary><c>tcpdiag capture --match …</c>: packets, and the TCP stack's own events, into one file.</summary>
static class CaptureCommand
{
    public static Command Create()
    {
        var options = new CaptureOptions();
        var file = new Option<string?>("--out", "-o")
        {
            Description = "File to write: NAME.tcpdiag for a bundle, which is what is written if nothing is given; "
                + "NAME.pcapng (Linux) or NAME.etl (Windows) for the trace alone; - for standard output (Linux)",
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/capture/1)" };
        var dryRun = new Option<bool>("--dry-run") { Description = "Print what would be done and what it costs, and do nothing" };
        var untilEnd = new Option<bool>("--until-eof") { Description = "Stop when standard input ends", Hidden = true };
        Option<bool> force = ForceOption.Create();
        var command = new Command("capture", "Record packets and the TCP stack's own events") { file, force, json, dryRun, untilEnd };
        options.AddTo(command);
        command.Add(CreateRecover());
        command.Validators.Add(result =>
        {
            if (result.GetValue(json) && result.GetValue(file) is "-")
            {
                result.AddError("--json and --out - both need standard output");
            }

            if (options.AsksForPieces(result) && result.GetValue(file) is "-")
            {
                result.AddError("--split makes several traces, which one standard output cannot take: name a file");
            }
        });
        command.Validators.Add(result => EngineCheck.Validate(result, options, result.GetValue(file), result.GetValue(dryRun)));
        var elevated = new ElevatedStart(file);
        elevated.AddTo(command);
        command.SetAction(parse => parse.GetValue(dryRun)
            ? CapturePlanning.Run(parse, options, parse.GetValue(file), parse.GetValue(json))
            : elevated.Run(
                parse, Sentences.In(Sentences.English), Elevated(parse, file, isForScripts: parse.GetValue(json) || parse.GetValue(untilEnd)),
                () => Run(parse, options, new(parse.GetValue(file) ?? UsualName(), parse.GetValue(force)), parse.GetValue(json), parse.GetValue(untilEnd))));
        return command;
    }

    // What is printed to be read by a program would end in another window.
    static string[]? Elevated(ParseResult parse, Option<string?> file, bool isForScripts) => parse.GetValue(file) switch
    {
        "-" => null,
        _ when isForScripts => null,
        null => [file.Name, Path.GetFullPath(UsualName())],
        _ => [],
    };

    static Command CreateRecover()
    {
        var outputs = new Argument<string[]>("OUT")
        {
            Arity = ArgumentArity.ZeroOrMore,
            Description = "Linux: files that ring recordings were to become; all in this folder unless named",
        };
        var command = new Command("recover", "Finish recordings whose process has gone: stop what still runs, keep what was recorded") { outputs };
        outputs.Validators.Add(result =>
        {
            if (OperatingSystem.IsWindows() && result.Tokens.Count > 0)
            {
                result.AddError("capture recover takes no name on Windows, where it finds all recordings by itself");
            }
        });
        command.SetAction(parse => Recover((Invocation)parse.InvocationConfiguration, parse.GetRequiredValue(outputs)));
        return command;
    }

    static int Recover(Invocation invocation, string[] outputs)
    {
        RecoveredCaptures? found = OperatingSystem.IsWindows() ? WindowsRecording.Recover(invocation)
            : OperatingSystem.IsLinux() ? LinuxRecording.Recover(outputs, invocation.Error)
            : null;
        int count = found?.Results.Count ?? 0;
        string left = found is { Left: > 0 } ? FormattableString.Invariant($", {found.Left} not finished") : string.Empty;
        invocation.Output.WriteLine(FormattableString.Invariant($"{count} recording{(count == 1 ? string.Empty : "s")} recovered{left}"));
        return left.Length == 0 ? ExitCode.Done : ExitCode.Failed;
    }

    static int Run(ParseResult parse, CaptureOptions options, CaptureTarget target, bool isJson, bool untilEnd)
    {
        CaptureSettings settings = options.Read(parse);
        EngineChoice choice = options.ReadEngine(parse);
        EngineCheck.RequirePossible(settings, choice, target.Path);
        var invocation = (Invocation)parse.InvocationConfiguration;
        using var inputEnd = new CancellationTokenSource();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(invocation.Interruption, inputEnd.Token);
        if (untilEnd)
        {
            StandardStreams.CancelAtEndOfInput(inputEnd);
        }

        CaptureSummary summary = Record(settings, choice, target, options.ReadTakeOver(parse), invocation, stop.Token);
        CaptureDocument document = CaptureDocuments.ToDocument(summary, settings, target.Path);
        WriteReport(parse, document, isJson);
        return document.IsComplete ? ExitCode.Done : ExitCode.Damaged;
    }

    /// <summary>The file that is written when none is named.</summary>
    public static string UsualName() => FormattableString.Invariant($"tcpdiag-{TimeProvider.System.GetUtcNow():yyyyMMdd-HHmmss}{BundleWriter.Extension}");

    /// <summary>Records with what this system has for it.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="choice">What records.</param>
    /// <param name="target">The file.</param>
    /// <param name="takeOver">Windows: whether a recording that somebody else runs is stopped.</param>
    /// <param name="invocation">Takes progress; on Linux one line when recording has begun.</param>
    /// <param name="stop">Ends it.</param>
    /// <exception cref="CaptureException">It is not available here, or failed.</exception>
    public static CaptureSummary Record(
        CaptureSettings settings, EngineChoice choice, CaptureTarget target, bool takeOver, Invocation invocation, CancellationToken stop)
    {
        if (choice.Engine is not { } engine)
        {
            return OperatingSystem.IsLinux()
                ? LinuxRecording.Run(settings, target, invocation.Error, stop)
                : throw new CaptureException("recording is available on Windows and Linux only.");
        }

        return OperatingSystem.IsWindows()
            ? WindowsRecording.Run(settings, choice, target, takeOver, invocation, stop)
            : throw new CaptureException($"{engine.Name} records on Windows only; --dry-run shows what it would do there.");
    }

    static void WriteReport(ParseResult parse, CaptureDocument document, bool isJson)
    {
        if (isJson)
        {
            CaptureJson.Write(parse.InvocationConfiguration.Output, document);
        }
        else
        {
            CaptureReport.Write(document.File is "-" ? Terminal.Error(parse) : Terminal.Output(parse), document);
        }
    }
}

/// <summary>Where a recording goes.</summary>
/// <param name="Path">The file; - for standard output.</param>
/// <param name="IsForced">Whether a file that is there is replaced.</param>
sealed record CaptureTarget(string Path, bool IsForced)
{
    /// <summary>Called once it is recording; null for nobody.</summary>
    public Action<GrowingTrace>? Begun { get; init; }

    /// <summary>Refuses a file that would be replaced unasked.</summary>
    /// <exception cref="OutputTakenException">It is there already.</exception>
    public void RequireFree() => OutputFile.RequireFree(Path, IsForced);
}

/// <summary>Turns what a recorder returns into what reports show.</summary>
static class CaptureDocuments
{
    const long UnixEpochTicks = 621_355_968_000_000_000;
    const long NanosecondsPerTick = 100;

    /// <summary>One line that says what is recorded from now on.</summary>
    /// <param name="settings">The settings.</param>
    /// <param name="file">The file as the user named it.</param>
    /// <param name="engine">What records, where there are several.</param>
    /// <param name="why">Why that records, a clause; null where it was asked for.</param>
    public static string Announce(CaptureSettings settings, string file, string? engine = null, string? why = null)
    {
        string events = !settings.WithEvents ? "no stack events"
            : settings.SampleInterval > TimeSpan.Zero && OperatingSystem.IsLinux()
            ? FormattableString.Invariant($"stack events, samples every {settings.SampleInterval.TotalMilliseconds} ms")
            : "stack events";
        string by = engine is null ? string.Empty : why is null ? $" with {engine}" : $" with {engine} ({why})";
        string until = settings.Until.Count == 0 ? string.Empty : $"until {string.Join(" or ", settings.Until.Select(Describe))}, ";
        return FormattableString.Invariant(
            $"recording {settings.Match} at {string.Join(", ", settings.Interfaces)}{by}: {settings.SnapLength} bytes of each packet, {events}; ")
            + FormattableString.Invariant($"{until}for {settings.Duration.TotalSeconds} s or {Quantity.Bytes(settings.MaxBytes)} to {file}; Ctrl-C stops");
    }

    static string Describe(TriggerCondition condition) => condition is ProcessChange { IsStart: false } exit && !exit.IsRunning()
        ? $"{condition} (none runs yet)"
                : condition.ToString();

    /// <summary>The reason of an end as documents have it.</summary>
    /// <returns>Its name in lower case.</returns>
    public static string NameOf(StopReason reason) => reason.ToString().ToLowerInvariant();

    static bool IsOfLinux(CaptureSummary summary) => summary.Engine is EngineChoice.Linux;

    static DateTimeOffset ToUtc(TraceTime time) => new(UnixEpochTicks + (time.Nanoseconds / NanosecondsPerTick), TimeSpan.Zero);

    /// <summary>The document of a recording.</summary>
    /// <param name="summary">What the recorder returned.</param>
    /// <param name="settings">What was asked for.</param>
    /// <param name="file">The file as the user named it.</param>
    public static CaptureDocument ToDocument(CaptureSummary summary, CaptureSettings settings, string file) => new(
        CaptureDocument.SchemaName,
        file,
        summary.Engine,
        settings.Match.ToString(),
        ToUtc(summary.Started),
        summary.Duration.TotalSeconds,
        NameOf(summary.StopReason),
        summary.Trigger is { } trigger ? new(trigger.Condition, ToUtc(trigger.Time), trigger.What) : null,
        summary.Bytes,
        settings.SnapLength,
        summary.Interfaces.Sum(captured => captured.Packets),
        summary.Interfaces.Sum(captured => captured.Dropped),
        [.. summary.Interfaces.Select(captured => new CapturedInterfaceEntry(captured.Name, captured.Packets, captured.Dropped))],
        settings.WithEvents ? summary.Events : null,
        settings.WithEvents ? summary.Samples : null,
        settings.WithEvents || !IsOfLinux(summary) ? summary.LostEvents : null,
        IsOfLinux(summary) ? null : summary.LostBuffers,
        summary.OutOfOrder,
        summary.IsWhole,
        summary.Trigger is null && settings.Until.Count > 0
            ? [.. summary.Remarks, $"--until has not come true: {string.Join(" or ", settings.Until)}"]
            : summary.Remarks);
}
