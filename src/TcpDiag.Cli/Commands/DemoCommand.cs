using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Cli.Analyzing;
using TcpDiag.Cli.Lab;
using TcpDiag.Lab;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using TcpDiag.Platform;

namespace TcpDiag.Cli.Commands;

/// <summary>
/// <c>tcpdiag demo</c>: runs the lab's smallest experiment and analyses what it recorded; where that is not possible, or not wanted, the trace of real TCP
/// that lies beside the program (tools/record-fixtures.sh).
/// </summary>
static class DemoCommand
{
    const string TraceName = "demo.pcapng";
    const string Experiment = "smoke";
    const int Retries = 2;

    public static Command Create()
    {
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/analysis/1)" };
        var recorded = new Option<bool>("--recorded")
        {
            Description = "Analyse the trace that comes with the program: four uploads, each slow for a reason of its own",
        };
        var command = new Command("demo", "Real TCP over an emulated path, analysed; half a minute, Linux as root. Elsewhere a recorded trace")
        {
            json, recorded,
        };
        command.SetAction(parse => Run(parse, parse.GetValue(json), parse.GetValue(recorded)));
        return command;
    }

    static int Run(ParseResult parse, bool isJson, bool isRecorded)
    {
        if (!isRecorded && TryRunLab(parse, isJson) is { } code)
        {
            return code;
        }

        string beside = Path.Combine(AppContext.BaseDirectory, TraceName);
        return File.Exists(beside) ? Analyze(parse, [beside], isJson) : AnalyzeInside(parse, isJson);
    }

    // A program that is one file has the trace in it.
    static int AnalyzeInside(ParseResult parse, bool isJson)
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-demo-").FullName;
        try
        {
            string path = Path.Combine(folder, TraceName);
            using (Stream trace = typeof(DemoCommand).Assembly.GetManifestResourceStream(TraceName)!)
            using (FileStream file = File.Create(path))
            {
                trace.CopyTo(file);
            }

            return Analyze(parse, [path], isJson);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    // Null where the system does not allow it; the reason goes to standard error.
    static int? TryRunLab(ParseResult parse, bool isJson)
    {
        TextWriter error = parse.InvocationConfiguration.Error;
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
        {
            error.WriteLine("Real TCP over an emulated path needs Linux and root; this is a recorded trace instead.");
            return null;
        }

        string folder = Directory.CreateTempSubdirectory("tcpdiag-demo-").FullName;
        try
        {
            error.WriteLine("Eight uploads of real TCP over an emulated path, half a minute (tcpdiag lab run smoke):");
            LabMatrix matrix = MatrixReader.Read(Experiment, MatrixPresets.FindText(Experiment)!);
            LabRunSettings settings = new(matrix, Seed: 1, Scale: 1, Retries, Jobs: 1, folder, Peer: null, OwnProgram.Start);
            CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
            LabRunDocument run = LabProgressLine.Run(error, settings, interruption);
            return Show(parse, run, folder, isJson);
        }
        catch (Exception refused) when (refused is PlatformException or LabException or CaptureException)
        {
            error.WriteLine($"{refused.Message} This is a recorded trace instead.");
            return null;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    static int Show(ParseResult parse, LabRunDocument run, string folder, bool isJson)
    {
        if (!isJson)
        {
            LabText.Write(parse.InvocationConfiguration.Output, run, folder);
        }

        string[] captures = [.. run.Results.Select(result => Path.Combine(folder, result.Folder, "sender.pcapng"))];
        return Analyze(parse, captures, isJson);
    }

    static int Analyze(ParseResult parse, string[] files, bool isJson) =>
        AnalyzeRun.Run(parse, new AnalyzeSettings(files, AnalyzeCommand.OneScreen, new AnalyzeOutputs(isJson)));
}
