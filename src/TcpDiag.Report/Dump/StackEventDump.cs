using System.IO;
using System.Threading;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Report.Dump;

/// <summary>Shows the stack events of a trace that holds them as journal entries (.pcapng).</summary>
public static class StackEventDump
{
    /// <summary>Shows the events.</summary>
    /// <param name="reader">The trace.</param>
    /// <param name="filter">Which events; ids do not apply, a provider is compared with the event's source.</param>
    /// <param name="output">Where they go.</param>
    /// <param name="isJson">Whether to write JSON.</param>
    /// <param name="interruption">Ends the dump.</param>
    /// <param name="columns">Length of a line of text, at most.</param>
    public static long Run(TraceReader reader, DumpFilter filter, TextWriter output, bool isJson, CancellationToken interruption, int columns = 80)
    {
        using IDumpWriter writer = isJson ? new JsonDumpWriter(output) : new TextDumpWriter(output, columns);
        ConnectionFilter? connection = filter.Connection is { } wanted ? new ConnectionFilter(wanted) : null;
        long? start = null;
        long shown = 0;
        var record = default(TraceRecord);
        while (shown < filter.Limit && reader.TryRead(ref record))
        {
            interruption.ThrowIfCancellationRequested();
            start ??= record.Time.Nanoseconds;
            long sinceStart = record.Time.Nanoseconds - start.Value;
            if (record.Kind == TraceRecordKind.StackEvent && record.Event is { } stackEvent && IsWanted(stackEvent, filter, connection, sinceStart))
            {
                writer.Write(stackEvent, sinceStart);
                shown++;
            }
        }

        return shown;
    }

    static bool IsWanted(StackEvent stackEvent, DumpFilter filter, ConnectionFilter? connection, long sinceStart) =>
        filter.IsInTime(sinceStart)
        && (filter.Provider is not { } provider || stackEvent.Source.Contains(provider, System.StringComparison.OrdinalIgnoreCase))
        && (connection is null || connection.IsMatch(stackEvent.Tcb, stackEvent.Local, stackEvent.Remote, stackEvent.Time.Nanoseconds))
        && HasFields(stackEvent, filter);

    static bool HasFields(StackEvent stackEvent, DumpFilter filter)
    {
        foreach ((string name, string wanted) in filter.Fields)
        {
            bool isFound = false;
            for (int at = 0; !isFound && stackEvent.TryGetNext(at, out StackField field, out long value); at = (int)field + 1)
            {
                isFound = StackEventNames.JsonOf(field).Equals(name, System.StringComparison.OrdinalIgnoreCase)
                    && value.ToString(System.Globalization.CultureInfo.InvariantCulture).Equals(wanted, System.StringComparison.Ordinal);
            }

            if (!isFound)
            {
                return false;
            }
        }

        return true;
    }
}
