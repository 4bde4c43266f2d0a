using System;
using System.Buffers;
using System.IO;
using System.Text;
using System.Text.Json;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Report.Dump;

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
