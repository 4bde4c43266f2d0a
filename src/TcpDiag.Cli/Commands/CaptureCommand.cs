using System;
using System.CommandLine;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Report;
using TcpDiag.Report.Json;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag capture --match …</c>: packets, and the TCP stack's own events, into one pcapng file.</summary>
static class CaptureCommand
{
    /// <summary>Creates the command.</summary>
    /// <returns>The command with its options and action.</returns>
    public static Command Create()
    {
        var options = new CaptureOptions();
        var file = new Option<string?>("--out", "-o") { Description = "File to write; - for standard output; tcpdiag-TIME.pcapng if not given" };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/capture/1)" };
        var untilEnd = new Option<bool>("--until-eof") { Description = "Stop when standard input ends", Hidden = true };
        var command = new Command("capture", "Record packets and the TCP stack's own events") { file, json, untilEnd };
        options.AddTo(command);
        command.Validators.Add(result =>
        {
            if (result.GetValue(json) && result.GetValue(file) is "-")
            {
                result.AddError("--json and --out - both need standard output");
            }
        });
        command.SetAction(parse => Run(parse, options.Read(parse), parse.GetValue(file), parse.GetValue(json), parse.GetValue(untilEnd)));
        return command;
    }

    static int Run(ParseResult parse, CaptureSettings settings, string? file, bool isJson, bool untilEnd)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new CaptureException("recording is available on Linux only. On Windows record with `pktmon start --capture` or `netsh trace start`, and analyse the .etl file.");
        }

        string path = file ?? FormattableString.Invariant($"tcpdiag-{TimeProvider.System.GetUtcNow():yyyyMMdd-HHmmss}.pcapng");
        using var inputEnd = new CancellationTokenSource();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(((Invocation)parse.InvocationConfiguration).Interruption, inputEnd.Token);
        if (untilEnd)
        {
            StandardStreams.CancelAtEndOfInput(inputEnd);
        }

        CaptureSummary summary;
        using (LinuxRecorder recorder = LinuxRecorder.Open(settings, OpenFile(path)))
        {
            parse.InvocationConfiguration.Error.WriteLine(CaptureDocuments.Announce(settings, path));
            summary = recorder.Run(stop.Token);
        }

        CaptureDocument document = CaptureDocuments.ToDocument(summary, settings, path);
        WriteReport(parse, document, isJson);
        return document.IsComplete ? ExitCode.Done : ExitCode.Damaged;
    }

    // A trace is somebody's private data.
    [SupportedOSPlatform("linux")]
    static Stream OpenFile(string path) => path is "-"
        ? StandardStreams.OpenOutput()
        : new FileStream(path, new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.Write,
            BufferSize = 0,
            UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
        });

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
