using System;
using System.Collections.Generic;

namespace TcpDiag.SchemaGenerator;

/// <summary>A table of the resource in which each entry stands once, in the order of first use.</summary>
sealed class ResourceTable
{
    readonly Dictionary<string, int> _indexes = new(StringComparer.Ordinal);
    readonly List<byte[]> _entries = [];

    /// <summary>The index of an entry, which is added when it is new.</summary>
    public int IndexOf(byte[] entry)
    {
        string key = Convert.ToHexString(entry);
        if (!_indexes.TryGetValue(key, out int index))
        {
            index = _entries.Count;
            _indexes.Add(key, index);
            _entries.Add(entry);
        }

        return index;
    }

    /// <summary>Writes the count, then each entry behind its length.</summary>
    public void WriteTo(VarintWriter bytes)
    {
        bytes.Write(_entries.Count);
        foreach (byte[] entry in _entries)
        {
            bytes.Write(entry.Length);
            bytes.Write(entry);
        }
    }
}
