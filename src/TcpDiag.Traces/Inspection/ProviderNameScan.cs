using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Inspection;

/// <summary>
/// Names of providers that an .etl trace holds itself: traits of TraceLogging events, manifests that event sources write,
/// event metadata that merging adds (docs/formats/etl.md, "Schemas inside the file").
/// </summary>
sealed class ProviderNameScan
{
    // Names beyond any real one are damage.
    const int MaxNameLength = 256;
    const ushort ManifestEvent = 0xFFFE;
    const int ManifestChunkHeader = 8;
    const byte EventInfoOpcode = 32;
    const int ProviderNameOffsetField = 52;

    static readonly Guid EventMetadata = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    readonly Dictionary<Guid, string> _names = [];
    Guid _latest;

    /// <summary>The name of a provider.</summary>
    /// <returns>The name, or null when no record holds it.</returns>
    public string? NameOf(Guid provider) => _names.GetValueOrDefault(provider);

    /// <summary>Takes in a record.</summary>
    /// <param name="record">Any record of the trace.</param>
    /// <returns>Whether it held a name that was not known.</returns>
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
        Keep(new Guid(info[..16]), end is > 0 and <= MaxNameLength ? text[..end].Trim().ToString() : null);
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
        return length is > 0 and <= MaxNameLength ? Encoding.UTF8.GetString(bytes[..length]) : null;
    }
}

/// <summary>Names of the providers and kernel classes that network traces usually hold.</summary>
public static class KnownProviders
{
    /// <summary>Microsoft-Windows-TCPIP, the events of the TCP stack.</summary>
    public static readonly Guid TcpIp = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");

    /// <summary>Microsoft-Windows-NDIS-PacketCapture, the packets of <c>netsh trace</c>.</summary>
    public static readonly Guid NdisPacketCapture = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    /// <summary>Microsoft-Windows-PktMon, the packets of <c>pktmon</c>.</summary>
    public static readonly Guid PktMon = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");

    /// <summary>Microsoft-Windows-Ras-NdisWanPacketCapture, packets of VPN connections.</summary>
    public static readonly Guid NdisWan = new("d84521f7-2235-4237-a7c0-14e3a9676286");

    // Classes: docs/formats/etl.md, "SYSTEM, COMPACT, PERFINFO" and "Schemas inside the file".
    static readonly Dictionary<Guid, string> Names = new()
    {
        [TcpIp] = "Microsoft-Windows-TCPIP",
        [NdisPacketCapture] = "Microsoft-Windows-NDIS-PacketCapture",
        [PktMon] = "Microsoft-Windows-PktMon",
        [NdisWan] = "Microsoft-Windows-Ras-NdisWanPacketCapture",
        [new("7dd42a49-5329-4832-8dfd-43d979153a88")] = "Microsoft-Windows-Kernel-Network",
        [new("e53c6823-7bb8-44bb-90dc-3f86090d48a6")] = "Microsoft-Windows-Winsock-AFD",
        [new("55404e71-4db9-4deb-a5f5-8f86e46dde56")] = "Microsoft-Windows-Winsock-NameResolution",
        [new("68fdd900-4a3e-11d1-84f4-0000f80464e3")] = "EventTrace",
        [new("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c")] = "DiskIo",
        [new("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c")] = "PageFault",
        [new("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c")] = "Process",
        [new("90cbdc39-4a3e-11d1-84f4-0000f80464e3")] = "FileIo",
        [new("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c")] = "Thread",
        [new("9a280ac0-c8e0-11d1-84e2-00c04fb998a2")] = "TcpIp",
        [new("bf3a50c5-a9c9-4988-a005-2df0b7c80f80")] = "UdpIp",
        [new("ae53722e-c863-11d2-8659-00c04fa321a1")] = "Registry",
        [new("01853a65-418f-4f36-aefc-dc0f1d2fd235")] = "SystemConfig",
        [new("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc")] = "PerfInfo",
        [new("2cb15d1d-5fc1-11d2-abe1-00a0c911f518")] = "Image",
        [new("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3")] = "StackWalk",
        [new("bbccf6c1-6cd1-48c4-80ff-839482e37671")] = "EventMetadata",
        [new("b3e675d7-2554-4f18-830b-2762732560de")] = "ImageId",
        [new("9b79ee91-b5fd-41c0-a243-4248e266e9d0")] = "SystemConfigEx",
    };

    /// <summary>The name of a provider or class.</summary>
    /// <param name="provider">Its id.</param>
    /// <returns>The name, or null.</returns>
    public static string? NameOf(Guid provider) => Names.GetValueOrDefault(provider);
}
