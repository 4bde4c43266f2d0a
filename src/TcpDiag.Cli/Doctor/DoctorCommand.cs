using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Doctor;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Doctor;

/// <summary><c>tcpdiag doctor</c>: checks of this machine, and of the way to a host.</summary>
static class DoctorCommand
{
    public static Command Create()
    {
        var target = new TargetOptions();
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/doctor/1)" };
        Option<string?> language = Choice.Option("--language", "Language of the text; the user's if not given. JSON is in English", Sentences.Languages);
        var command = new Command("doctor", "Check this machine: names, connects, path MTU, adapters, settings; changes nothing");
        target.AddTo(command);
        command.Add(json);
        command.Add(language);
        command.SetAction(parse => Run(parse, target.Read(parse), parse.GetValue(json), parse.GetValue(language)));
        return command;
    }

    /// <summary>Where the checks look on this machine.</summary>
    /// <exception cref="CaptureException">The system is neither Linux nor Windows.</exception>
    public static DoctorSources Sources(Invocation invocation, DoctorTarget? target)
    {
        if (OperatingSystem.IsLinux())
        {
            return new(target, TakeLinux, Windows: null);
        }

        ICaptureMachine machine = invocation.Surroundings.OpenMachine();
        return new(target, cancel => WindowsSnapshot.Take(machine, TimeProvider.System, cancel), machine);
    }

    [SupportedOSPlatform("linux")]
    static SystemSnapshot TakeLinux(CancellationToken cancel) => LinuxSnapshot.Take(networkNamespace: null, TimeProvider.System, cancel);

    static int Run(ParseResult parse, DoctorTarget? target, bool isJson, string? language)
    {
        var invocation = (Invocation)parse.InvocationConfiguration;
        CancellationToken interruption = invocation.Interruption;
        IReadOnlyList<Check> checks = Examination.Run(Sources(invocation, target), interruption);
        DoctorDocument document = DoctorDocument.Of(target, checks);
        if (isJson)
        {
            parse.InvocationConfiguration.Output.WriteLine(document.ToJson());
        }
        else
        {
            new DoctorText(Terminal.Output(parse), Sentences.In(language)).Write(checks);
        }

        return document.HasProblem ? ExitCode.CheckFailed : ExitCode.Done;
    }
}
