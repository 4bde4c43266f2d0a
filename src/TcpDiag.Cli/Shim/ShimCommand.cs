using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab.Programs;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Doctor;

namespace TcpDiag.Cli.Shim;

/// <summary>
/// <c>tcpdiag shim run</c>: real packets through an emulated path. The work is done by a second process, <c>tcpdiag shim serve</c>, which help does not
/// list.
/// </summary>
static class ShimCommand
{
    const string Schema = "tcpdiag/shim-run/1";

    public static Command Create() =>
        new("shim", "Send packets of this machine through an emulated path: rate, delay, loss, reordering")
        {
            CreateRun(), ShimLogCommand.Create(), CreateServe(), CreateDoctor(),
        };

    static Command CreateRun()
    {
        ShimArguments arguments = new();
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/shim-run/1)" };
        var command = new Command("run", "Impair the packets of a match for some time; as root or administrator") { json };
        arguments.AddTo(command);
        command.SetAction(parse => Run(parse, arguments, parse.GetValue(json)));
        return command;
    }

    static Command CreateServe()
    {
        ShimArguments arguments = new();
        var command = new Command("serve", "The process that diverts packets for shim run") { Hidden = true };
        arguments.AddTo(command);
        command.SetAction(parse =>
        {
            arguments.Check(parse);
            return ShimServer.Run(parse, arguments);
        });
        return command;
    }

    static Command CreateDoctor()
    {
        var driver = new Option<string>("--driver")
        {
            Description = "Windows: the folder of WinDivert.dll and WinDivert64.sys",
            DefaultValueFactory = _ => DivertOptions.DefaultFolder,
        };
        var load = new Option<bool>("--load") { Description = "Windows: load the driver too, with a filter that takes no packet" };
        var error = new Option<int?>("--error")
        {
            Description = "Say what an error code of WinDivert means, e.g. 1275",
            CustomParser = result => Number.Read<int>(result, "an error code such as 1275", number => number >= 0),
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/shim-doctor/1)" };
        var command = new Command("doctor", "Say whether packets can be diverted on this machine, and what stands in the way") { driver, load, error, json };
        foreach (Option option in new Option[] { driver, load })
        {
            option.Validators.Add(result => RefuseWithoutWinDivert(result));
        }

        command.SetAction(parse => parse.GetValue(error) is { } code
            ? DoctorText.Explain(parse.InvocationConfiguration.Output, ShimDoctor.Explain(code))
            : Examine(parse.InvocationConfiguration.Output, ShimDoctor.Examine(parse.GetValue(driver)!, parse.GetValue(load)), parse.GetValue(json)));
        return command;
    }

    static void RefuseWithoutWinDivert(OptionResult result)
    {
        if (!result.Implicit && !OperatingSystem.IsWindows())
        {
            result.AddError($"{result.Option.Name}: there is WinDivert on Windows only");
        }
    }

    static int Examine(TextWriter output, DoctorDocument document, bool isJson)
    {
        if (isJson)
        {
            output.WriteLine(JsonSerializer.Serialize(document, ShimJson.Default.DoctorDocument));
        }
        else
        {
            DoctorText.Write(output, document);
        }

        return document.CanDivert is false ? ExitCode.CheckFailed : ExitCode.Done;
    }

    static int Run(ParseResult parse, ShimArguments arguments, bool isJson)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        arguments.Check(parse);
        ImpairmentProfile profile = arguments.ReadProfile(parse);
        LiveLine line = new(parse.InvocationConfiguration.Error);
        IEnumerable<string> words = parse.Tokens.Select(token => token.Value).SkipWhile(word => word is "shim" or "run").Where(word => word is not "--json");
        using ShimProcess process = new(((Invocation)parse.InvocationConfiguration).Surroundings.Program, words);
        ShimReport? report = process.Follow(figures => line.Show(ShimText.Line(figures)), interruption);
        line.End();
        if (report is null)
        {
            return ExitCode.Failed;
        }

        TextWriter output = parse.InvocationConfiguration.Output;
        if (isJson)
        {
            ShimRunDocument document = new(Schema, arguments.ReadMatchText(parse), profile.Options, profile.Settings.Seed, report);
            output.WriteLine(JsonSerializer.Serialize(document, ShimJson.Default.ShimRunDocument));
        }
        else
        {
            ShimText.Write(output, profile, report);
        }

        return interruption.IsCancellationRequested ? ExitCode.Interrupted : report.Fault is null ? ExitCode.Done : ExitCode.CheckFailed;
    }
}
