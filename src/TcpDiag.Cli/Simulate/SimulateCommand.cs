using System.CommandLine;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Cli.Lab;
using TcpDiag.Lab.Results;

namespace TcpDiag.Cli.Simulate;

/// <summary><c>tcpdiag simulate</c>: the experiments of <c>lab run</c> in virtual time, with a reference TCP in place of a kernel's.</summary>
static class SimulateCommand
{
    public static Command Create()
    {
        SimulateArguments arguments = new();
        var command = new Command("simulate", "The experiments of lab run in virtual time, with stacks that need not be here");
        arguments.AddTo(command);
        command.SetAction(parse => Run(parse, arguments));
        return command;
    }

    static int Run(ParseResult parse, SimulateArguments arguments)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        SimulatedExperiment experiment = arguments.Read(parse);
        LabRunDocument run = experiment.Run(interruption);
        if (parse.GetValue(arguments.Json))
        {
            parse.InvocationConfiguration.Output.WriteLine(JsonSerializer.Serialize(run, LabJson.Default.LabRunDocument));
        }
        else
        {
            LabText.Write(parse.InvocationConfiguration.Output, run, experiment.Out);
        }

        return run.Results.All(result => result.Fault is null) ? ExitCode.Done : ExitCode.CheckFailed;
    }
}
