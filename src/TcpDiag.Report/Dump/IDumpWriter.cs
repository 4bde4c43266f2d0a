using System;
using System.Buffers;
using System.Globalization;
using System.IO;
using System.Text;
using System.Text.Json;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Report.Dump;

/// <summary>Writes events of a dump one by one; disposing flushes and leaves the output open.</summary>
interface IDumpWriter : IDisposable
{
    /// <summary>Writes an event of an .etl file.</summary>
    void Write(scoped in DumpRecord dumped);

    /// <summary>Writes a stack event.</summary>
    void Write(StackEvent stackEvent, long sinceStart);
}

/// <summary>One event to show, as a view on the reader's buffers.</summary>
ref struct DumpRecord
{
    /// <summary>The record.</summary>
    public EtlRecord Record;

    /// <summary>Nanoseconds since 1970.</summary>
    public long Nanoseconds;

    /// <summary>Nanoseconds since the start of the trace.</summary>
    public long SinceStart;

    /// <summary>Its schema, and how it was found.</summary>
    public SchemaMatch Match;
}

/// <summary>Writes events as text: a line that names the event, then its fields, broken at the width of the terminal.</summary>
sealed class TextDumpWriter(TextWriter output, int columns) : IDumpWriter
{
    const string Indent = "    ";

    // As wide as the time and the blank after it.
    const string HeadIndent = "               ";

    // Of a payload without schema: enough to recognise it.
    const int RawBytes = 256;

    readonly EventFormatter _formatter = new();
    readonly StringBuilder _fields = new();

    public void Write(scoped in DumpRecord dumped)
    {
        EventSchema? schema = dumped.Match.Schema;
        WriteHead(dumped, schema);
        _fields.Clear();
        if (schema is not null)
        {
            _formatter.AppendText(_fields, schema, dumped.Record.Payload, dumped.Record.Is64Bit);
        }
        else if (!dumped.Record.Payload.IsEmpty)
        {
            ReadOnlySpan<byte> payload = dumped.Record.Payload;
            _fields.Append(Convert.ToHexStringLower(payload[..Math.Min(payload.Length, RawBytes)]));
            _fields.Append(payload.Length > RawBytes ? "…" : string.Empty);
        }

        WriteWrapped(_fields.ToString());
    }

    public void Write(StackEvent stackEvent, long sinceStart)
    {
        WriteWrapped($"{StackEventNames.Of(stackEvent.Kind)} {stackEvent.Source}", Seconds(sinceStart), HeadIndent);
        _fields.Clear();
        _fields.Append(stackEvent.Tcb != 0 ? $"tcb=0x{stackEvent.Tcb:x} " : string.Empty);
        _fields.Append(stackEvent.ProcessId is { } process ? string.Create(CultureInfo.InvariantCulture, $"pid={process} ") : string.Empty);
        _fields.Append(stackEvent.Local is { } local ? $"local={local} " : string.Empty);
        _fields.Append(stackEvent.Remote is { } remote ? $"remote={remote} " : string.Empty);
        _fields.Append(stackEvent.Text is { } text ? $"text={text} " : string.Empty);
        for (int at = 0; stackEvent.TryGetNext(at, out StackField field, out long value); at = (int)field + 1)
        {
            _fields.Append(CultureInfo.InvariantCulture, $"{StackEventNames.JsonOf(field)}={value} ");
        }

        WriteWrapped(_fields.ToString());
    }

    public void Dispose() => output.Flush();

    void WriteHead(scoped in DumpRecord dumped, EventSchema? schema)
    {
        string provider = schema is { ProviderName.Length: > 0 } ? schema.ProviderName : dumped.Record.Provider.ToString();
        string id = dumped.Record.IsClassic ? $"opcode {dumped.Record.Opcode}" : $"{dumped.Record.Id}";
        WriteWrapped($"{provider} {id} v{dumped.Record.Version} {schema?.Name}{Remark(dumped.Match.Kind)}", Seconds(dumped.SinceStart), HeadIndent);
    }

    static string Seconds(long nanoseconds) => string.Create(CultureInfo.InvariantCulture, $"{nanoseconds / 1e9,14:F9} ");

    static string Remark(SchemaMatchKind kind) => kind switch
    {
        SchemaMatchKind.NearestBuild => " (layout of the nearest known build)",
        SchemaMatchKind.PayloadLength => " (build unknown: layout by length)",
        SchemaMatchKind.OlderVersion => " (layout of an older version)",
        SchemaMatchKind.None => " (no schema)",
        _ => string.Empty,
    };

    // Breaks at blanks; a single field that is longer than a line is broken where the line ends.
    void WriteWrapped(string text, string first = Indent, string indent = Indent)
    {
        ReadOnlySpan<char> rest = SafeText.OneLine(text.TrimEnd());
        string before = first;
        while (!rest.IsEmpty)
        {
            int width = columns - before.Length;
            int end = rest.Length <= width ? rest.Length : rest[..(width + 1)].LastIndexOf(' ');
            end = end <= 0 ? width : end;
            output.Write(before);
            before = indent;
            output.WriteLine(rest[..end]);
            rest = rest[end..].TrimStart(' ');
        }
    }
}

/// <summary>Writes events as JSON lines: one object each, schema in docs/formats/schemas.md.</summary>
sealed class JsonDumpWriter : IDumpWriter
{
    static readonly string[] MatchNames = Array.ConvertAll(Enum.GetNames<SchemaMatchKind>(), JsonNamingPolicy.CamelCase.ConvertName);

    readonly TextWriter _output;
    readonly EventFormatter _formatter = new();
    readonly ArrayBufferWriter<byte> _buffer = new();
    readonly Utf8JsonWriter _json;

    public JsonDumpWriter(TextWriter output)
    {
        _output = output;
        _json = new Utf8JsonWriter(_buffer);
    }

    public void Write(scoped in DumpRecord dumped)
    {
        EventSchema? schema = dumped.Match.Schema;
        _json.WriteStartObject();
        _json.WriteString("time", new TraceTime(dumped.Nanoseconds).ToString());
        _json.WriteString("provider", schema is { ProviderName.Length: > 0 } ? schema.ProviderName : null);
        _json.WriteString("providerGuid", dumped.Record.Provider);
        WriteIdentity(dumped, schema);
        _json.WriteNumber("processId", dumped.Record.ProcessId);
        _json.WriteNumber("threadId", dumped.Record.ThreadId);
        _json.WriteNumber("processor", dumped.Record.Processor);
        _json.WriteString("layout", MatchNames[(int)dumped.Match.Kind]);
        if (schema is not null)
        {
            _json.WritePropertyName("fields");
            _formatter.WriteJson(_json, schema, dumped.Record.Payload, dumped.Record.Is64Bit);
        }
        else
        {
            _json.WriteNull("fields");
            _json.WriteString("payload", Convert.ToHexStringLower(dumped.Record.Payload));
        }

        EndLine();
    }

    public void Write(StackEvent stackEvent, long sinceStart)
    {
        _json.WriteStartObject();
        _json.WriteString("time", stackEvent.Time.ToString());
        _json.WriteString("event", StackEventNames.Of(stackEvent.Kind));
        _json.WriteString("source", stackEvent.Source);
        _json.WriteString("tcb", stackEvent.Tcb == 0 ? null : $"0x{stackEvent.Tcb:x}");
        if (stackEvent.ProcessId is { } process)
        {
            _json.WriteNumber("processId", process);
        }
        else
        {
            _json.WriteNull("processId");
        }

        _json.WriteString("local", stackEvent.Local?.ToString());
        _json.WriteString("remote", stackEvent.Remote?.ToString());
        _json.WriteString("text", stackEvent.Text);
        _json.WriteStartObject("fields");
        for (int at = 0; stackEvent.TryGetNext(at, out StackField field, out long value); at = (int)field + 1)
        {
            _json.WriteNumber(StackEventNames.JsonOf(field), value);
        }

        _json.WriteEndObject();
        EndLine();
    }

    public void Dispose()
    {
        _output.Flush();
        _json.Dispose();
    }

    void WriteIdentity(scoped in DumpRecord dumped, EventSchema? schema)
    {
        if (dumped.Record.IsClassic)
        {
            _json.WriteNull("id");
        }
        else
        {
            _json.WriteNumber("id", dumped.Record.Id);
        }

        _json.WriteNumber("version", dumped.Record.Version);
        _json.WriteNumber("opcode", dumped.Record.Opcode);
        _json.WriteNumber("level", dumped.Record.Level);
        _json.WriteString("name", schema is { Name.Length: > 0 } ? schema.Name : null);
    }

    void EndLine()
    {
        _json.WriteEndObject();
        _json.Flush();
        _output.Write(Encoding.UTF8.GetString(_buffer.WrittenSpan));
        _output.Write('\n');
        _buffer.ResetWrittenCount();
        _json.Reset();
    }
}
