using System;
using System.Globalization;
using System.IO;
using System.Text.Json;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Shim;

namespace TcpDiag.Cli.Shim;

/// <summary>Prints a decision log: the head, a line for each decision, the end; as text of 80 columns or as JSON lines.</summary>
/// <param name="output">Where to print.</param>
/// <param name="reader">The log.</param>
/// <param name="isJson">Whether to print JSON.</param>
sealed class DecisionLogPrinter(TextWriter output, DecisionLogReader reader, bool isJson)
{
    const string Schema = "tcpdiag/shim-log/1";
    const double NanosecondsPerSecond = 1e9;
    const double NanosecondsPerMillisecond = 1e6;
    const double NanosecondsPerMicrosecond = 1e3;

    long _shown;

    /// <summary>What a decision is called.</summary>
    /// <param name="action">The decision.</param>
    /// <returns>A few words.</returns>
    public static string Name(ImpairmentAction action) => action switch
    {
        ImpairmentAction.Forward => "forwarded",
        ImpairmentAction.ForwardCopy => "copy forwarded",
        ImpairmentAction.DropLoss => "dropped: loss",
        ImpairmentAction.DropQueue => "dropped: queue",
        ImpairmentAction.DropBlackout => "dropped: blackout",
        ImpairmentAction.DropCapacity => "dropped: full",
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
            output.WriteLine(JsonSerializer.Serialize(new DecisionLogStart(Schema, header.StartedAt.ToString(), header.Seed, header.DelayErrorLimitNs, options), ShimJson.Default.DecisionLogStart));
            return;
        }

        output.WriteLine($"Started     {header.StartedAt}");
        ShimText.WriteList(output, "Emulated    ", options.Length > 0 ? options : [ShimText.NothingEmulated]);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Seed        {header.Seed}; 99 % of the delay errors within {header.DelayErrorLimitNs / NanosecondsPerMillisecond:0.###} ms"));
        output.WriteLine();
        output.WriteLine("   seconds way    packet bytes     flow  asked ms  error us  action");
    }

    /// <summary>Prints a decision.</summary>
    /// <param name="decision">The decision.</param>
    public void Write(in ImpairmentDecision decision)
    {
        _shown++;
        bool hasLeft = decision.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy;
        string way = decision.Direction == LinkDirection.Out ? "out" : "in";
        if (isJson)
        {
            var line = new DecisionLogLine(
                decision.Time.ToString(), way, decision.Segment > 0, decision.PacketId, decision.LengthBytes, decision.FlowHash.ToString("x8", CultureInfo.InvariantCulture),
                Name(decision.Action), decision.DelayAskedNs, hasLeft ? decision.DelayErrorNs : null);
            output.WriteLine(JsonSerializer.Serialize(line, ShimJson.Default.DecisionLogLine));
            return;
        }

        // An apostrophe marks what lies behind the observation point.
        string place = decision.Segment > 0 ? $"{way}'" : way;
        string error = hasLeft ? string.Create(CultureInfo.InvariantCulture, $"{decision.DelayErrorNs / NanosecondsPerMicrosecond:F1}") : string.Empty;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{(decision.Time - reader.Header.StartedAt) / NanosecondsPerSecond,10:F6} {place,-4} {decision.PacketId,8} {decision.LengthBytes,5} {decision.FlowHash:x8} {decision.DelayAskedNs / NanosecondsPerMillisecond,9:F3} {error,9}  {Name(decision.Action)}"));
    }

    /// <summary>Prints how the log ended.</summary>
    public void WriteEnd()
    {
        RunLosses losses = reader.Losses;
        bool isComplete = reader.IsComplete;
        if (isJson)
        {
            var end = new DecisionLogEnd(isComplete, _shown, isComplete ? losses.Records : null, isComplete ? losses.Packets : null, isComplete ? losses.Bypassed : null);
            output.WriteLine(JsonSerializer.Serialize(end, ShimJson.Default.DecisionLogEnd));
            return;
        }

        output.WriteLine();
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{_shown} {(_shown == 1 ? "decision" : "decisions")} shown."));
        if (isComplete)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"The log is complete; not in it: {losses.Records} decisions, {losses.Packets} lost packets, {losses.Bypassed} bypassed."));
        }
    }
}
