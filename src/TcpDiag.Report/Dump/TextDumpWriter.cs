using System;
using System.Globalization;
using System.IO;
using System.Text;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Report.Dump;

/// <summary>Writes events as text: a line that names the event, then its fields, broken at 80 columns.</summary>
sealed class TextDumpWriter(TextWriter output) : IDumpWriter
{
    const int Columns = 80;
    const string Indent = "    ";

    // As wide as the time and the blank behind it.
    const string HeadIndent = "               ";

    // A payload without schema: enough to recognise it, and nobody reads more as text.
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
            int width = Columns - before.Length;
            int end = rest.Length <= width ? rest.Length : rest[..(width + 1)].LastIndexOf(' ');
            end = end <= 0 ? width : end;
            output.Write(before);
            before = indent;
            output.WriteLine(rest[..end]);
            rest = rest[end..].TrimStart(' ');
        }
    }
}
