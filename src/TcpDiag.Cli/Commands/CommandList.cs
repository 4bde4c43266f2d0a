using System.Collections.Generic;
using System.CommandLine;

namespace TcpDiag.Cli.Commands;

/// <summary>
/// Every command of the program, in the order in which help lists them. Creating them must stay cheap: it happens at
/// each start, so options use plain types and nothing is loaded before a command runs.
/// </summary>
static class CommandList
{
    /// <summary>Creates the commands.</summary>
    /// <returns>The commands, each with its options and action.</returns>
    public static IReadOnlyList<Command> Create() =>
    [
        AnalyzeCommand.Create(),
        InfoCommand.Create(),
        ConvertCommand.Create(),
        RedactCommand.Create(),
        CaptureCommand.Create(),
        WatchCommand.Create(),
        DumpCommand.Create(),
        EventsCommand.Create(),
        DemoCommand.Create(),
        ShimCommand.Create(),
        LabCommand.Create(),
        CompareCommand.Create(),
    ];
}
