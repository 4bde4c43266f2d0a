using System;
using System.CommandLine;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Lab.Probing;
using TcpDiag.Platform;
using TcpDiag.Probe.Results;

namespace TcpDiag.Cli.Probe;

/// <summary><c>tcpdiag probe</c>: a receiver that reads a sender's loss recovery from how it answers.</summary>
static class ProbeCommand
{
    public static Command Create()
    {
        ProbeArguments arguments = new();
        var command = new Command("probe", "Read a sender's loss recovery: a receiver that lets single segments be late or lost");
        arguments.AddTo(command);
        command.SetAction(parse => OperatingSystem.IsLinux()
            ? Run(parse, arguments)
            : throw new PlatformException("probe: expected Linux, which has TUN devices. Run it on a Linux machine; the sender may be any system."));
        return command;
    }

    [SupportedOSPlatform("linux")]
    static int Run(ParseResult parse, ProbeArguments arguments)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        using ProbeRun run = new(arguments.Read(parse));
        parse.InvocationConfiguration.Error.WriteLine($"waiting for an upload to {arguments.ReadListen(parse)}");
        ProbeDocument document = run.Run(interruption);
        if (parse.GetValue(arguments.Json))
        {
            parse.InvocationConfiguration.Output.WriteLine(JsonSerializer.Serialize(document, ProbeJson.Default.ProbeDocument));
        }
        else
        {
            ProbeText.Write(parse.InvocationConfiguration.Output, document);
        }

        return interruption.IsCancellationRequested ? ExitCode.Interrupted : document.IsComplete ? ExitCode.Done : ExitCode.NoResult;
    }
}
