using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Lab;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Peers;
using TcpDiag.Lab.Results;
using TcpDiag.Store;
using TcpDiag.Store.Rows;

namespace TcpDiag.Cli.Lab;

/// <summary>
/// <c>tcpdiag lab run</c>: experiments with real TCP over an emulated path. The flow's two ends are processes of their own, <c>lab sender</c> and <c>lab
/// receiver</c>, which help does not list.
/// </summary>
static class LabCommand
{
    public static Command Create() => new("lab", "Experiments with real TCP over an emulated path")
    {
        CreateRun(),
        CreateServe(),
        CreateEnd("sender", isSender: true),
        CreateEnd("receiver", isSender: false),
    };

    static Command CreateRun()
    {
        LabArguments arguments = new();
        var command = new Command("run", "Run a preset or a matrix file (docs/lab.md); as root or administrator");
        arguments.AddTo(command);
        command.SetAction(parse => Run(parse, arguments));
        return command;
    }

    static Command CreateServe()
    {
        LabServeArguments arguments = new();
        var command = new Command("serve", "Receive for lab run --peer of another machine");
        arguments.AddTo(command);
        command.SetAction(parse => Serve(parse, arguments));
        return command;
    }

    static Command CreateEnd(string name, bool isSender)
    {
        var file = new Argument<string>("FILE");
        var command = new Command(name, "One end of a flow of lab run") { file };
        command.Hidden = true;
        command.SetAction(parse => RunEnd(parse, parse.GetValue(file)!, isSender));
        return command;
    }

    static int Run(ParseResult parse, LabArguments arguments)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        LabRunSettings settings = arguments.Read(parse);
        using OwnPeer? own = arguments.OpenOwnPeer(parse, settings);
        settings = own is null ? settings : settings with { Peer = own.Endpoint };
        LabRunDocument run = LabProgressLine.Run(parse.InvocationConfiguration.Error, settings, interruption);
        Keep(parse.GetValue(arguments.Store), settings.Out);
        if (parse.GetValue(arguments.Json))
        {
            parse.InvocationConfiguration.Output.WriteLine(JsonSerializer.Serialize(run, LabJson.Default.LabRunDocument));
        }
        else
        {
            LabText.Write(parse.InvocationConfiguration.Output, run, settings.Out);
        }

        return run.Results.All(result => result.Fault is null) ? ExitCode.Done : ExitCode.CheckFailed;
    }

    static void Keep(string? path, string folder)
    {
        if (path is not null)
        {
            using IResultStore store = ResultStores.Open(path, isCreated: true);
            store.Add(ExperimentRows.Of(folder));
        }
    }

    static int Serve(ParseResult parse, LabServeArguments arguments)
    {
        TextWriter output = parse.InvocationConfiguration.Output;
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        using CancellationTokenSource end = CancellationTokenSource.CreateLinkedTokenSource(interruption);
        TimeSpan duration = arguments.ReadDuration(parse);
        (string token, bool isNew) = arguments.ReadToken(parse);
        using PeerServer server = arguments.Open(parse, token);
        WriteLine(output, $"listening at {server.Address}{(isNew ? $", token {token}" : string.Empty)}");
        end.CancelAfter(duration);
        server.Run(text => WriteLine(output, text), end.Token);
        return ExitCode.Done;
    }

    // The parent is gone when standard input ends; nothing is held here that the system does not take back.
    static int RunEnd(ParseResult parse, string file, bool isSender)
    {
        using CancellationTokenSource parent = new();
        StandardStreams.CancelAtEndOfInput(parent);
        using CancellationTokenRegistration ending = parent.Token.Register(() => Environment.Exit(ExitCode.Failed));
        TextWriter output = parse.InvocationConfiguration.Output;
        FlowJob job = JsonSerializer.Deserialize(File.ReadAllText(file), LabJson.Default.FlowJob) ?? throw new LabException($"{file}: holds null.");
        IReadOnlyList<FlowReport> reports = FlowProgram.Run(job, isSender, _ => WriteLine(output, "ready"));
        WriteLine(output, JsonSerializer.Serialize(reports, LabJson.Default.IReadOnlyListFlowReport));
        return ExitCode.Done;
    }

    static void WriteLine(TextWriter output, string line)
    {
        output.WriteLine(line);
        output.Flush();
    }
}
