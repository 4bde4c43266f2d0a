using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Xml;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Reads the manifest of an event source: the subset of the instrumentation manifest's XML that .NET writes. What is behind
/// a damage is lost, what stands before counts.
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
        foreach (ManifestEvent told in manifest._events)
        {
            schemas.Add(manifest.SchemaOf(told, provider), told.Id, isClassic: false);
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

    EventSchema SchemaOf(ManifestEvent told, Guid provider) => new(FieldsOf(told.Template))
    {
        Provider = provider,
        ProviderName = _provider,
        Name = told.Symbol.Length > 0 ? told.Symbol : told.Task,
        Task = told.Task,
        Opcode = told.Opcode,
        Id = told.Id,
        Version = told.Version,
        Level = told.Level,
        Keywords = told.Keywords.Split(' ', StringSplitOptions.RemoveEmptyEntries),
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
            ManifestData told = data[i];
            fields[i] = new FieldSchema(told.Name, told.InType)
            {
                OutType = OutTypes.OfName(told.InType, told.OutType),
                Map = MapOf(told.Map),
                Length = LengthOf(told.Length, indices),
                Count = LengthOf(told.Count, indices),
            };
            indices[told.Name] = i;
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
