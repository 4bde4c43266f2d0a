using System.CommandLine;
using System.IO;
using TcpDiag.Cli.Shim;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag shim log FILE</c>: what an emulated path did with every packet.</summary>
sealed class ShimLogCommand
{
    const string Drop = "drop";
    const string Reorder = "reorder";
    const string Forward = "forward";
    const string Change = "change";

    readonly Argument<string> _file = new("FILE") { Description = "A decision log, as shim run --log writes it" };
    readonly Option<bool> _json = new("--json") { Description = "Print one JSON object a line (schema tcpdiag/shim-log/1)" };
    readonly Option<string?> _action = new("--action") { Description = "Only drop, reorder, forward, or change (marked, corrupted, duplicated)" };
    readonly Option<string?> _direction = new("--direction") { Description = "Only out or in" };
    readonly Option<long?> _packet = new("--packet") { Description = "Only this packet: its number in its direction", CustomParser = result => Number.Read<long>(result, "a number from 1 on", number => number > 0) };
    readonly Option<long?> _limit = new("--limit") { Description = "Stop after this many decisions", CustomParser = result => Number.Read<long>(result, "a number from 0 on", number => number >= 0) };

    /// <summary>Creates the command.</summary>
    /// <returns>The command with its options and action.</returns>
    public static Command Create()
    {
        ShimLogCommand log = new();
        log._action.AcceptOnlyFromAmong(Drop, Reorder, Forward, Change);
        log._direction.AcceptOnlyFromAmong("out", "in");
        var command = new Command("log", "Show the decisions of an emulated path, a line each") { log._file, log._json, log._action, log._direction, log._packet, log._limit };
        command.SetAction(log.Run);
        return command;
    }

    int Run(ParseResult parse)
    {
        string path = parse.GetValue(_file)!;
        (string? action, string? way, long? packet) = (parse.GetValue(_action), parse.GetValue(_direction), parse.GetValue(_packet));
        long left = parse.GetValue(_limit) ?? long.MaxValue;
        using FileStream stream = File.OpenRead(path);
        DecisionLogReader reader = new(stream);
        DecisionLogPrinter printer = new(parse.InvocationConfiguration.Output, reader, parse.GetValue(_json));
        printer.WriteStart();
        bool isDamaged = false;
        try
        {
            while (left > 0 && reader.TryRead(out ImpairmentDecision decision))
            {
                if (IsMeant(in decision, action, way) && (packet ?? decision.PacketId) == decision.PacketId)
                {
                    printer.Write(in decision);
                    left--;
                }
            }
        }
        catch (DecisionLogException damage)
        {
            Failure.Tell(parse.InvocationConfiguration.Error, $"{path}: {damage.Message}");
            isDamaged = true;
        }

        printer.WriteEnd();
        if (left > 0 && !reader.IsComplete && !isDamaged)
        {
            Failure.Tell(parse.InvocationConfiguration.Error, $"{path}: cut off; the decisions before the cut are good");
            isDamaged = true;
        }

        return isDamaged ? ExitCode.Damaged : ExitCode.Done;
    }

    static bool IsMeant(in ImpairmentDecision decision, string? action, string? way)
    {
        bool isAction = action switch
        {
            Drop => decision.Action.IsDrop(),
            Reorder => decision.Action.IsReordering(),
            Forward => decision.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy,
            Change => decision.Action is ImpairmentAction.MarkEcn or ImpairmentAction.Corrupt or ImpairmentAction.Duplicate,
            _ => true,
        };
        return isAction && (way is null || (way is "in") == (decision.Direction == LinkDirection.In));
    }
}
