using System;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Text.Json;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Shim;

namespace TcpDiag.Cli.Shim;

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
    readonly Option<long?> _packet = new("--packet")
    {
        Description = "Only this packet: its number in its direction",
        CustomParser = result => Number.Read<long>(result, "a number from 1 on", number => number > 0),
    };
    readonly Option<long?> _limit = new("--limit")
    {
        Description = "Stop after this many decisions",
        CustomParser = result => Number.Read<long>(result, "a number from 0 on", number => number >= 0),
    };

    public static Command Create()
    {
        ShimLogCommand log = new();
        Choice.Restrict(log._action, Drop, Reorder, Forward, Change);
        Choice.Restrict(log._direction, "out", "in");
        var command = new Command("log", "Show the decisions of an emulated path, a line each")
        {
            log._file, log._json, log._action, log._direction, log._packet, log._limit,
        };
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
            Failure.Report(parse.InvocationConfiguration.Error, $"{path}: {damage.Message}");
            isDamaged = true;
        }

        printer.WriteEnd();
        if (left > 0 && !reader.IsComplete && !isDamaged)
        {
            Failure.Report(parse.InvocationConfiguration.Error, $"{path}: cut off; the decisions before the cut are good");
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

/// <summary>Prints a decision log: the head, a line for each decision, the end; as text of 80 columns or as JSON lines.</summary>
sealed class DecisionLogPrinter(TextWriter output, DecisionLogReader reader, bool isJson)
{
    const string Schema = "tcpdiag/shim-log/1";
    const double NanosecondsPerSecond = 1e9;
    const double NanosecondsPerMillisecond = 1e6;
    const double NanosecondsPerMicrosecond = 1e3;

    long _shown;

    /// <summary>What a decision is called.</summary>
    public static string Name(ImpairmentAction action) => action switch
    {
        ImpairmentAction.Forward => "forwarded",
        ImpairmentAction.ForwardCopy => "copy forwarded",
        ImpairmentAction.DropLoss => "dropped: loss",
        ImpairmentAction.DropQueue => "dropped: queue",
        ImpairmentAction.DropBlackout => "dropped: blackout",
        ImpairmentAction.DropCapacity => "dropped: full",
        ImpairmentAction.DropAqm => "dropped: early",
        ImpairmentAction.MarkEcn => "marked CE",
        ImpairmentAction.Corrupt => "corrupted",
        ImpairmentAction.Duplicate => "duplicated",
        ImpairmentAction.ReorderReplace => "reordered: replace",
        ImpairmentAction.ReorderAdd => "reordered: add",
        ImpairmentAction.ReorderSwap => "reordered: swap",
        ImpairmentAction.ReorderAhead => "reordered: ahead",
        _ => "reordered: flush",
    };

    /// <summary>Prints what the log says of its run.</summary>
    public void WriteStart()
    {
        DecisionLogHeader header = reader.Header;
        string[] options = header.Profile.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        if (isJson)
        {
            var start = new DecisionLogStart(Schema, header.StartedAt.ToString(), header.Seed, header.DelayErrorLimitNanos, options);
            output.WriteLine(JsonSerializer.Serialize(start, ShimJson.Default.DecisionLogStart));
            return;
        }

        output.WriteLine($"Started     {header.StartedAt}");
        ShimText.WriteList(output, "Emulated    ", options.Length > 0 ? options : [ShimText.NothingEmulated]);
        double limit = header.DelayErrorLimitNanos / NanosecondsPerMillisecond;
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Seed        {header.Seed}; 99 % of the delay errors within {limit:0.###} ms"));
        output.WriteLine();
        output.WriteLine("   seconds way    packet bytes     flow  asked ms  error us  action");
    }

    /// <summary>Prints a decision.</summary>
    public void Write(in ImpairmentDecision decision)
    {
        _shown++;
        bool hasLeft = decision.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy;
        string way = decision.Direction == LinkDirection.Out ? "out" : "in";
        if (isJson)
        {
            var line = new DecisionLogLine(
                decision.Time.ToString(),
                way,
                decision.Segment > 0,
                decision.PacketId,
                decision.LengthBytes,
                decision.FlowHash.ToString("x8", CultureInfo.InvariantCulture),
                Name(decision.Action),
                decision.DelayAskedNanos,
                hasLeft ? decision.DelayErrorNanos : null);
            output.WriteLine(JsonSerializer.Serialize(line, ShimJson.Default.DecisionLogLine));
            return;
        }

        // An apostrophe marks the segment behind the observation point.
        string shownWay = decision.Segment > 0 ? $"{way}'" : way;
        string error = hasLeft ? string.Create(CultureInfo.InvariantCulture, $"{decision.DelayErrorNanos / NanosecondsPerMicrosecond:F1}") : string.Empty;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{(decision.Time - reader.Header.StartedAt) / NanosecondsPerSecond,10:F6} {shownWay,-4} {decision.PacketId,8} {decision.LengthBytes,5} "
            + $"{decision.FlowHash:x8} {decision.DelayAskedNanos / NanosecondsPerMillisecond,9:F3} {error,9}  {Name(decision.Action)}"));
    }

    /// <summary>Prints how the log ended.</summary>
    public void WriteEnd()
    {
        RunLosses losses = reader.Losses;
        bool isComplete = reader.IsComplete;
        if (isJson)
        {
            DecisionLogEnd end = isComplete
                ? new(isComplete, _shown, losses.Records, losses.Packets, losses.Bypassed)
                : new(isComplete, _shown, null, null, null);
            output.WriteLine(JsonSerializer.Serialize(end, ShimJson.Default.DecisionLogEnd));
            return;
        }

        output.WriteLine();
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{_shown} {(_shown == 1 ? "decision" : "decisions")} shown."));
        if (isComplete)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"The log is complete; not in it: {losses.Records} decisions, {losses.Packets} lost packets, {losses.Bypassed} bypassed."));
        }
    }
}
