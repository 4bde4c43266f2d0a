using System;
using System.Xml;

namespace TcpDiag.Traces.Schemas;

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
    /// <param name="element">Positioned on <c>data</c>.</param>
    /// <param name="name">Its name.</param>
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
