using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>Names of the values of a field; of single bits for a bit map.</summary>
public sealed class ValueMap
{
    readonly uint[] _values;
    readonly string[] _texts;

    /// <summary>Creates a map.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="isBitMap">Whether the values are bits.</param>
    /// <param name="values">The values.</param>
    /// <param name="texts">Their names, as many.</param>
    /// <exception cref="ArgumentException">The numbers differ.</exception>
    public ValueMap(string name, bool isBitMap, uint[] values, string[] texts)
    {
        if (texts.Length != values.Length)
        {
            throw new ArgumentException("A map has as many names as values.", nameof(texts));
        }

        Name = name;
        IsBitMap = isBitMap;
        _values = values;
        _texts = texts;
    }

    /// <summary>The manifest's name of the map.</summary>
    public string Name { get; }

    /// <summary>Whether the values are bits, of which several may be set.</summary>
    public bool IsBitMap { get; }

    /// <summary>The values, in the order of <see cref="Texts"/>.</summary>
    public IReadOnlyList<uint> Values => _values;

    /// <summary>The names, in the order of <see cref="Values"/>.</summary>
    public IReadOnlyList<string> Texts => _texts;

    /// <summary>The name of a value.</summary>
    /// <param name="value">The value; of a bit map one bit.</param>
    /// <returns>The name, or null when the map does not know it.</returns>
    public string? TextOf(ulong value)
    {
        for (int i = 0; i < _values.Length; i++)
        {
            if (_values[i] == value)
            {
                return _texts[i];
            }
        }

        return null;
    }
}
