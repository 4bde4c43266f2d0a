using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Report.Dump;

/// <summary>Shows the events of an .etl file, or of its pieces one after the other, in the order of time: text for people, or one JSON object a line.</summary>
public sealed class EtlDump : IDisposable
{
    readonly (EtlFile File, EventSchemaFinder Finder)[] _pieces;
    readonly DumpFilter _filter;
    readonly ConnectionFilter? _connection;
    readonly IDumpWriter _writer;
    readonly StringBuilder _value = new();
    readonly long _start;

    /// <summary>Creates a dump.</summary>
    /// <param name="pieces">The file, or its pieces in their order.</param>
    /// <param name="filter">Which events.</param>
    /// <param name="output">Where they go.</param>
    /// <param name="isJson">Whether to write JSON.</param>
    /// <param name="columns">Length of a line of text, at most.</param>
    public EtlDump(IReadOnlyList<EtlFile> pieces, DumpFilter filter, TextWriter output, bool isJson, int columns = 80)
    {
        _pieces = [.. pieces.Select(file => (file, FinderOf(file)))];
        _start = pieces[0].Clock.ToTime(pieces[0].Header.StartTicks).Nanoseconds;
        _filter = filter;
        _connection = filter.Connection is { } wanted ? new ConnectionFilter(wanted) : null;
        _writer = isJson ? new JsonDumpWriter(output) : new TextDumpWriter(output, columns);
        LearnConnection();
    }

    /// <summary>Shows the events.</summary>
    public long Run(CancellationToken interruption)
    {
        long shown = 0;
        foreach ((EtlFile file, EventSchemaFinder finder) in _pieces)
        {
            using EtlRecordCursor cursor = file.Read(EtlReadOrder.Time);
            var record = default(EtlRecord);
            while (shown < _filter.Limit && cursor.TryRead(ref record))
            {
                interruption.ThrowIfCancellationRequested();
                shown += TryShow(record, file.Clock.ToTime(record.Ticks).Nanoseconds, finder) ? 1 : 0;
            }
        }

        return shown;
    }

    static EventSchemaFinder FinderOf(EtlFile file) => new(file.Header.Build == 0 ? null : (int)file.Header.Build, InFileSchemaReader.Read(file));

    /// <summary>Flushes the output.</summary>
    public void Dispose() => _writer.Dispose();

    // A rundown at the end may be the only event that names a connection.
    void LearnConnection()
    {
        if (_connection is not { NeedsNames: true } connection)
        {
            return;
        }

        foreach ((EtlFile file, EventSchemaFinder finder) in _pieces)
        {
            using EtlRecordCursor cursor = file.Read(EtlReadOrder.Time);
            var record = default(EtlRecord);
            while (cursor.TryRead(ref record))
            {
                if (finder.Find(record).Schema is { } schema)
                {
                    connection.IsMatch(schema, record.Payload, record.Is64Bit, file.Clock.ToTime(record.Ticks).Nanoseconds);
                }
            }
        }
    }

    bool TryShow(in EtlRecord record, long time, EventSchemaFinder finder)
    {
        if (!_filter.IsWanted(record.IsClassic ? record.Opcode : record.Id) || !_filter.IsInTime(time - _start))
        {
            return false;
        }

        SchemaMatch match = finder.Find(record);
        if (!IsProviderWanted(record, match) || !IsConnectionWanted(record, match, time) || !AreFieldsWanted(record, match))
        {
            return false;
        }

        _writer.Write(new DumpRecord { Record = record, Nanoseconds = time, SinceStart = time - _start, Match = match });
        return true;
    }

    bool IsProviderWanted(in EtlRecord record, SchemaMatch match) => _filter.Provider is not { } wanted
        || (match.Schema is { } schema && schema.ProviderName.Contains(wanted, StringComparison.OrdinalIgnoreCase))
        || (Guid.TryParse(wanted, out Guid id) && record.Provider == id);

    bool IsConnectionWanted(in EtlRecord record, SchemaMatch match, long time) => _connection is null
        || (match.Schema is { } schema && _connection.IsMatch(schema, record.Payload, record.Is64Bit, time));

    bool AreFieldsWanted(in EtlRecord record, SchemaMatch match)
    {
        foreach (KeyValuePair<string, string> wanted in _filter.Fields)
        {
            if (match.Schema is not { } schema || !HasField(schema, record, wanted))
            {
                return false;
            }
        }

        return true;
    }

    bool HasField(EventSchema schema, in EtlRecord record, KeyValuePair<string, string> wanted)
    {
        var reader = new PayloadReader(schema, record.Payload, record.Is64Bit);
        while (reader.TryRead(out PayloadField field))
        {
            if (field.Kind != PayloadFieldKind.Value || !field.Schema.Name.Equals(wanted.Key, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            _value.Clear();
            ValueText.Append(_value, field.Schema, field.Data);
            bool isNumber = field.TryReadInteger(out long number)
                && number.ToString(CultureInfo.InvariantCulture).Equals(wanted.Value, StringComparison.Ordinal);
            if (isNumber || _value.Equals(wanted.Value))
            {
                return true;
            }
        }

        return false;
    }
}
