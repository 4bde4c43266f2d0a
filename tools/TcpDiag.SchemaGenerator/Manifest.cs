using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.SchemaGenerator;

/// <summary>What a manifest adds to the event lists: keyword bits, value maps, and which field gives another its length.</summary>
sealed class Manifest
{
    public static Manifest Empty { get; } = new();

    /// <summary>Keywords with their bits, by bit.</summary>
    public List<KeyValuePair<string, ulong>> Keywords { get; } = [];

    /// <summary>Value maps by name.</summary>
    public Dictionary<string, ValueMap> Maps { get; } = new(StringComparer.Ordinal);

    /// <summary>Name of a field → names of the fields that give its length, most frequent first.</summary>
    public Dictionary<string, List<string>> Lengths { get; private set; } = new(StringComparer.Ordinal);

    /// <summary>(Name of a field, its in-type) → the maps shown for it.</summary>
    public Dictionary<(string Name, string Type), HashSet<string>> MapUses { get; } = [];

    /// <summary>Names of the fields with the type win:IPAddrV4.</summary>
    public HashSet<string> Ipv4Fields { get; } = new(StringComparer.Ordinal);

    /// <summary>Reads all manifests of a folder, by provider.</summary>
    public static Dictionary<string, Manifest> ReadAll(string folder) =>
        Directory.GetFiles(folder, "*.xml").ToDictionary(path => Path.GetFileNameWithoutExtension(path), Read, StringComparer.Ordinal);

    static Manifest Read(string path)
    {
        XElement root = XElement.Load(path);
        var manifest = new Manifest();
        manifest.ReadKeywords(root);
        manifest.ReadMaps(root);
        manifest.ReadTemplates(root);
        return manifest;
    }

    static IEnumerable<XElement> Named(XElement root, string name) =>
        root.Descendants().Where(element => element.Name.LocalName.Equals(name, StringComparison.Ordinal));

    static string Required(XElement element, string attribute) =>
        element.Attribute(attribute)?.Value ?? throw new InvalidDataException($"<{element.Name.LocalName}> lacks {attribute}");

    static ulong Hex(string text) => ulong.Parse(text.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    void ReadKeywords(XElement root)
    {
        foreach (XElement keyword in Named(root, "keyword"))
        {
            Keywords.Add(new(Required(keyword, "name"), Hex(Required(keyword, "mask"))));
        }

        Keywords.Sort((left, right) => left.Value.CompareTo(right.Value));
    }

    void ReadMaps(XElement root)
    {
        Dictionary<string, string> texts = Named(root, "string")
            .DistinctBy(text => Required(text, "id"), StringComparer.Ordinal)
            .ToDictionary(text => Required(text, "id"), text => Required(text, "value"), StringComparer.Ordinal);
        foreach (XElement map in Named(root, "valueMap").Concat(Named(root, "bitMap")))
        {
            XElement[] entries = [.. Named(map, "map")];
            string name = Required(map, "name");
            Maps.Add(name, new ValueMap(
                name,
                map.Name.LocalName is "bitMap",
                [.. entries.Select(entry => (uint)Hex(Required(entry, "value")))],
                [.. entries.Select(entry => TextOf(texts, Required(entry, "message")))]));
        }
    }

    // "$(string.ID)"
    static string TextOf(Dictionary<string, string> texts, string reference) => texts[reference["$(string.".Length..^1]].Trim();

    void ReadTemplates(XElement root)
    {
        var lengths = new List<(string Field, string Length)>();
        foreach (XElement data in Named(root, "data"))
        {
            string name = Required(data, "name");
            string type = Required(data, "inType");
            if (data.Attribute("length")?.Value is { } length)
            {
                lengths.Add((name, length));
            }

            if (data.Attribute("map")?.Value is { } map)
            {
                MapUses.TryAdd((name, type), new HashSet<string>(StringComparer.Ordinal));
                MapUses[(name, type)].Add(map);
            }

            if (type is "win:IPAddrV4")
            {
                Ipv4Fields.Add(name);
            }
        }

        Lengths = lengths
            .GroupBy(pair => pair.Field, StringComparer.Ordinal)
            .ToDictionary(
                group => group.Key,
                group => group.GroupBy(pair => pair.Length, StringComparer.Ordinal).OrderByDescending(same => same.Count()).Select(same => same.Key).ToList(),
                StringComparer.Ordinal);
    }
}
