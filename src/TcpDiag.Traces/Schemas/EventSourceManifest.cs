using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Xml;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Reads the manifest of an event source: the subset of the instrumentation manifest's XML that .NET writes. What is after
/// damage is lost, what precedes it counts.
/// </summary>
sealed class EventSourceManifest
{
    const int MaxCharacters = 8 << 20;

    static readonly XmlReaderSettings Settings = new()
    {
        DtdProcessing = DtdProcessing.Ignore,
        XmlResolver = null,
        MaxCharactersInDocument = MaxCharacters,
        CheckCharacters = false,
        IgnoreComments = true,
        IgnoreWhitespace = true,
    };

    readonly Dictionary<string, string> _strings = [];
    readonly Dictionary<string, List<(uint Value, string Message)>> _maps = [];
    readonly HashSet<string> _bitMaps = [];
    readonly Dictionary<string, List<ManifestData>> _templates = [];
    readonly List<ManifestEvent> _events = [];
    List<ManifestData>? _template;
    List<(uint, string)>? _map;
    string _provider = string.Empty;

    EventSourceManifest()
    {
    }

    /// <summary>Adds the schemas of a manifest.</summary>
    /// <param name="xml">The manifest in UTF-8.</param>
    /// <param name="provider">The provider that logged it; what the manifest says about that is not trusted.</param>
    /// <param name="schemas">Where they go.</param>
    public static void Read(byte[] xml, Guid provider, InFileSchemas schemas)
    {
        var manifest = new EventSourceManifest();
        manifest.Parse(xml);
        foreach (ManifestEvent declared in manifest._events)
        {
            schemas.Add(manifest.SchemaOf(declared, provider), declared.Id, isClassic: false);
        }
    }

    static string MessageOf(string text, Dictionary<string, string> strings)
    {
        const string Before = "$(string.";
        bool isReference = text.StartsWith(Before, StringComparison.Ordinal) && text.EndsWith(')');
        return isReference ? strings.GetValueOrDefault(text[Before.Length..^1], text) : text;
    }

    static bool TryParse(string? text, out uint value)
    {
        bool isHex = text is not null && text.StartsWith("0x", StringComparison.OrdinalIgnoreCase);
        return uint.TryParse(isHex ? text.AsSpan(2) : text, isHex ? NumberStyles.HexNumber : NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }

    static byte LevelOf(string? name) => name switch
    {
        "win:Critical" => 1,
        "win:Error" => 2,
        "win:Warning" => 3,
        "win:Informational" => 4,
        "win:Verbose" => 5,
        _ => 0,
    };

    void Parse(byte[] xml)
    {
        try
        {
            using var reader = XmlReader.Create(new MemoryStream(xml), Settings);
            while (reader.Read())
            {
                if (reader.NodeType == XmlNodeType.Element)
                {
                    OnElement(reader);
                }
            }
        }
        catch (XmlException)
        {
            // A cut or damaged manifest: the rest of it is not readable.
        }
    }

    void OnElement(XmlReader element)
    {
        string name = element.GetAttribute("name") ?? string.Empty;
        switch (element.LocalName)
        {
            case "provider":
                _provider = name;
                break;
            case "event":
                AddEvent(element);
                break;
            case "template":
                _template = _templates[element.GetAttribute("tid") ?? string.Empty] = [];
                break;
            case "data":
                _template?.Add(ManifestData.Read(element, name));
                break;
            case "struct":
                // Event sources have none; without its end, reading stops here.
                _template?.Add(new ManifestData(name, InType.Struct, null, null, null, null));
                break;
            case "bitMap":
                _bitMaps.Add(name);
                _map = _maps[name] = [];
                break;
            case "valueMap":
                _map = _maps[name] = [];
                break;
            case "map" when TryParse(element.GetAttribute("value"), out uint value):
                _map?.Add((value, element.GetAttribute("message") ?? string.Empty));
                break;
            case "string":
                _strings.TryAdd(element.GetAttribute("id") ?? string.Empty, element.GetAttribute("value") ?? string.Empty);
                break;
            default:
                break;
        }
    }

    void AddEvent(XmlReader element)
    {
        if (TryParse(element.GetAttribute("value"), out uint id) && id <= ushort.MaxValue)
        {
            byte version = TryParse(element.GetAttribute("version"), out uint number) ? (byte)number : (byte)0;
            _events.Add(new ManifestEvent((int)id, version, LevelOf(element.GetAttribute("level")))
            {
                Symbol = element.GetAttribute("symbol") ?? string.Empty,
                Task = element.GetAttribute("task") ?? string.Empty,
                Opcode = element.GetAttribute("opcode") ?? string.Empty,
                Template = element.GetAttribute("template") ?? string.Empty,
                Keywords = element.GetAttribute("keywords") ?? string.Empty,
            });
        }
    }

    EventSchema SchemaOf(ManifestEvent declared, Guid provider) => new(FieldsOf(declared.Template))
    {
        Provider = provider,
        ProviderName = _provider,
        Name = declared.Symbol.Length > 0 ? declared.Symbol : declared.Task,
        Task = declared.Task,
        Opcode = declared.Opcode,
        Id = declared.Id,
        Version = declared.Version,
        Level = declared.Level,
        Keywords = declared.Keywords.Split(' ', StringSplitOptions.RemoveEmptyEntries),
    };

    // Each event has fields of its own: a schema numbers those that others take lengths from.
    FieldSchema[] FieldsOf(string template)
    {
        if (!_templates.TryGetValue(template, out List<ManifestData>? data))
        {
            return [];
        }

        var indices = new Dictionary<string, int>(StringComparer.Ordinal);
        var fields = new FieldSchema[data.Count];
        for (int i = 0; i < fields.Length; i++)
        {
            ManifestData declared = data[i];
            fields[i] = new FieldSchema(declared.Name, declared.InType)
            {
                OutType = OutTypes.OfName(declared.InType, declared.OutType),
                Map = MapOf(declared.Map),
                Length = LengthOf(declared.Length, indices),
                Count = LengthOf(declared.Count, indices),
            };
            indices[declared.Name] = i;
        }

        return fields;
    }

    static FieldLength LengthOf(string? text, Dictionary<string, int> indices) => text switch
    {
        null or "" => FieldLength.None,
        _ when TryParse(text, out uint number) => FieldLength.Of((int)Math.Min(number, ushort.MaxValue)),
        _ => FieldLength.In(indices.GetValueOrDefault(text, -1)),
    };

    ValueMap? MapOf(string? name)
    {
        if (name is null || !_maps.TryGetValue(name, out List<(uint Value, string Message)>? entries))
        {
            return null;
        }

        uint[] values = [.. entries.ConvertAll(entry => entry.Value)];
        string[] texts = [.. entries.ConvertAll(entry => MessageOf(entry.Message, _strings))];
        return new ValueMap(name, _bitMaps.Contains(name), values, texts);
    }
}

/// <summary>A field as a manifest's XML declares it; null where an attribute is absent.</summary>
/// <param name="Name">The field's name.</param>
/// <param name="InType">How it is stored.</param>
/// <param name="OutType">How it is to be shown, e.g. <c>win:Port</c>.</param>
/// <param name="Map">The map that names its values.</param>
/// <param name="Length">A number, or the field that holds it.</param>
/// <param name="Count">A number, or the field that holds it.</param>
sealed record ManifestData(string Name, InType InType, string? OutType, string? Map, string? Length, string? Count)
{
    /// <summary>Reads the attributes of an element.</summary>
    public static ManifestData Read(XmlReader element, string name) => new(
        name,
        InTypeOf(element.GetAttribute("inType")),
        element.GetAttribute("outType"),
        element.GetAttribute("map"),
        element.GetAttribute("length"),
        element.GetAttribute("count"));

    // "win:UInt32" and so on: the names of the in-types. Numbers, which Enum also parses, are none.
    static InType InTypeOf(string? text)
    {
        ReadOnlySpan<char> name = text.AsSpan(text is null ? 0 : text.IndexOf(':', StringComparison.Ordinal) + 1);
        return !name.IsEmpty && char.IsAsciiLetter(name[0]) && Enum.TryParse(name, ignoreCase: true, out InType type) ? type : InType.None;
    }
}

/// <summary>An event as a manifest's XML declares it; empty texts are absent attributes.</summary>
/// <param name="Id">The event's number.</param>
/// <param name="Version">Version of its layout.</param>
/// <param name="Level">1 critical to 5 verbose; 0 none.</param>
sealed record ManifestEvent(int Id, byte Version, byte Level)
{
    /// <summary>The event's name.</summary>
    public required string Symbol { get; init; }

    /// <summary>Name of its task.</summary>
    public required string Task { get; init; }

    /// <summary>Name of its opcode.</summary>
    public required string Opcode { get; init; }

    /// <summary>The template that has its fields.</summary>
    public required string Template { get; init; }

    /// <summary>Names of its keywords, blanks between them.</summary>
    public required string Keywords { get; init; }
}

/// <summary>What manifests are known to say wrong about their events.</summary>
static class ManifestErrata
{
    static readonly Guid DotNetRuntime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    static readonly Guid DotNetRundown = new("a669021c-c450-4609-a035-5af59af4df18");

    /// <summary>Corrects a schema.</summary>
    /// <returns>As the events are; the same schema where nothing is known to be wrong.</returns>
    public static EventSchema Correct(EventSchema schema) =>
        schema.Provider == DotNetRuntime || schema.Provider == DotNetRundown ? CorrectStackWalk(schema) : schema;

    // The manifest of .NET says two addresses; all 14,983 events 82 of a real trace have FrameCount of them.
    static EventSchema CorrectStackWalk(EventSchema schema)
    {
        int count = schema.IndexOf("FrameCount");
        int stack = schema.IndexOf("Stack");
        if (count < 0 || stack <= count || schema.Fields[stack].Count.Source != FieldLengthSource.Constant)
        {
            return schema;
        }

        FieldSchema[] fields = schema.Fields.ToArray();
        fields[stack] = fields[stack] with { Count = FieldLength.In(count) };
        return schema.With(fields);
    }
}
