using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Inspection;

/// <summary>
/// Names of providers that an .etl trace tells itself: traits of TraceLogging events, manifests that event sources write,
/// event metadata that merging adds (docs/formats/etl.md, "Schemas inside the file").
/// </summary>
sealed class ProviderNameScan
{
    // Names beyond any real one are damage.
    const int LongestName = 256;
    const ushort ManifestEvent = 0xFFFE;
    const int ManifestChunkHeader = 8;
    const byte EventInfoOpcode = 32;
    const int ProviderNameOffsetField = 52;

    static readonly Guid EventMetadata = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    readonly Dictionary<Guid, string> _names = [];
    Guid _latest;

    /// <summary>The name of a provider.</summary>
    /// <param name="provider">Its id.</param>
    /// <returns>The name, or null when no record told it.</returns>
    public string? NameOf(Guid provider) => _names.GetValueOrDefault(provider);

    /// <summary>Takes in a record.</summary>
    /// <param name="record">Any record of the trace.</param>
    /// <returns>Whether it told a name that was not known.</returns>
    public bool Add(in EtlRecord record)
    {
        int known = _names.Count;
        switch (record.HeaderType)
        {
            case EtlHeaderType.Event when !record.ExtendedData.IsEmpty || record.Id == ManifestEvent:
                AddEvent(record);
                break;
            case EtlHeaderType.Full when record.Opcode == EventInfoOpcode && record.Provider == EventMetadata:
                AddEventInfo(record.Payload);
                break;
            default:
                break;
        }

        return _names.Count > known;
    }

    void AddEvent(in EtlRecord record)
    {
        Guid provider = record.Provider;
        if (provider == _latest)
        {
            return;
        }

        _latest = provider;
        if (_names.ContainsKey(provider))
        {
            return;
        }

        if (record.Id == ManifestEvent)
        {
            AddManifest(provider, record.Payload);
        }

        foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData))
        {
            if (item.Type == EtlExtendedItemType.ProviderTraits && item.Data.Length > sizeof(ushort))
            {
                Keep(provider, Utf8Before(item.Data[sizeof(ushort)..], (byte)0));
            }
        }
    }

    void AddManifest(Guid provider, ReadOnlySpan<byte> payload)
    {
        ReadOnlySpan<byte> xml = payload[Math.Min(ManifestChunkHeader, payload.Length)..];
        int element = xml.IndexOf("<provider "u8);
        int name = element < 0 ? -1 : xml[element..].IndexOf(" name=\""u8);
        if (name >= 0)
        {
            Keep(provider, Utf8Before(xml[(element + name + 7)..], (byte)'"'));
        }
    }

    void AddEventInfo(ReadOnlySpan<byte> info)
    {
        if (info.Length < ProviderNameOffsetField + sizeof(uint))
        {
            return;
        }

        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(info[ProviderNameOffsetField..]);
        if (offset == 0 || offset >= info.Length)
        {
            return;
        }

        ReadOnlySpan<char> text = MemoryMarshal.Cast<byte, char>(info[(int)offset..]);
        int end = text.IndexOf('\0');
        Keep(new Guid(info[..16]), end is > 0 and <= LongestName ? text[..end].Trim().ToString() : null);
    }

    void Keep(Guid provider, string? name)
    {
        if (!string.IsNullOrEmpty(name))
        {
            _names.TryAdd(provider, name);
        }
    }

    static string? Utf8Before(ReadOnlySpan<byte> bytes, byte end)
    {
        int length = bytes.IndexOf(end);
        return length is > 0 and <= LongestName ? Encoding.UTF8.GetString(bytes[..length]) : null;
    }
}
