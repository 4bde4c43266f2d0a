using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Capture.StandIns;
using TcpDiag.Cli;
using TcpDiag.Lab.Programs;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Wine.Host;

/// <summary>
/// The whole command line on a machine of stand-ins: recordings are those of stand-ins for netsh and pktmon (TcpDiag.Capture.StandIns), packets are diverted
/// by the files of a folder, whatever they are. Processes it starts are such as it is.
/// </summary>
static class CommandCase
{
    /// <summary>Runs a command.</summary>
    /// <param name="state">The folder that is the machine.</param>
    /// <param name="root">Holds the folders of recordings.</param>
    /// <param name="openFiles">Opens the files to divert with.</param>
    /// <param name="own">What comes in front of the arguments where this program is started again.</param>
    /// <param name="arguments">As of <c>tcpdiag</c>.</param>
    /// <returns>The exit code.</returns>
    public static int Run(string state, string root, Func<DivertFiles> openFiles, string[] own, string[] arguments)
    {
        var machine = new MachineState(state);
        Surroundings surroundings = new()
        {
            Program = new LabProgram(machine.Answer("own-program") is var program and not "success" ? program : Environment.ProcessPath!, own),
            IsPrivileged = () => machine.Answer("start-rights") is "success" || arguments.Contains("--keep-open", StringComparer.Ordinal),
            Input = machine.Answer("typed") is { } typed and not "success" ? new StringReader(typed) : Console.In, // nobody types in a window without a screen
            IsAtTerminal = () => machine.Answer("terminal") is "there",
            StateRoot = () => Path.Combine(state, "state"),
            OpenMachine = () => new StandInMachine(machine, Environment.ProcessPath),
            CaptureRoot = () => root,
            OpenDivert = (options, match) => new DivertPort(openFiles(), options, match),
        };
        using StreamWriter output = StandardStreams.OpenText(StandardStreams.OpenOutput());
        return new CommandLine(output, Console.Error, surroundings).Run(arguments);
    }

    /// <summary>Stands in for a program of Windows.</summary>
    /// <param name="state">The folder that is the machine.</param>
    /// <param name="parent">Process id of the recorder.</param>
    /// <param name="program">E.g. <c>netsh</c>.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <returns>Its exit code.</returns>
    public static int StandIn(string state, string parent, string program, string[] arguments) =>
        new StandInProgram(new(state), int.Parse(parent, CultureInfo.InvariantCulture)).Run(program, arguments);
}
