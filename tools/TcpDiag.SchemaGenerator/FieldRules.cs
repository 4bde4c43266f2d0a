using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.SchemaGenerator;

/// <summary>
/// Turns a field of an event list into a field of a schema. What the lists leave out is added: which field gives a binary
/// its length, fixed lengths, and what a number or binary stands for (port, address, error code).
/// </summary>
sealed class FieldRules(string provider, Manifest manifest, MapRules maps)
{
    const string PacketCapture = "Microsoft-Windows-NDIS-PacketCapture";
    const string PktMon = "Microsoft-Windows-PktMon";
    const string KernelNetwork = "Microsoft-Windows-Kernel-Network";
    const string Afd = "Microsoft-Windows-Winsock-AFD";

    // MAC addresses and IPv6 addresses whose lengths no list shows.
    const int MacLength = 6;
    const int Ipv6Length = 16;

    static readonly string[] SocketAddresses =
    [
        "LocalAddress", "RemoteAddress", "LocalSockAddr", "RemoteSockAddr", "SocketAddress", "EndpointAddress", "SendAddress",
        "SrcSockAddr", "DestSockAddr", "SockAddr", "RedirectSockAddr", "IpAddr1", "IpAddr2", "IpAddr3", "IpAddr4", "IpAddr5",
    ];

    static readonly string[] HardwareAddresses =
    [
        "DLAddress", "DlAddress", "SrcDLAddress", "DestDLAddress", "DlSourceAddress", "MacAddress1", "MacAddress2", "DestinationMAC", "SourceMAC",
    ];

    /// <summary>The fields of an event as a build logs it.</summary>
    public FieldSchema[] FieldsOf(EventRow row, int build) => [.. row.Fields.Select((field, index) => Create(row, field, index, build))];

    // Structs whose members the dumps lost; their type is the index of the first member (etl-format.md, 5.2).
    static bool IsLostStruct(EventRow row, EventRowField field) => (row.Id, field.Name) is (1003, "Destination") or (5101, "LayerInfo");

    static InType InTypeOf(string type) => type switch
    {
        "GUID" => InType.Guid,
        _ => Enum.TryParse(type, out InType known) ? known : throw new InvalidDataException($"{type}: no such in-type"),
    };

    static bool IsLengthName(string name) =>
        (name.EndsWith("Length", StringComparison.Ordinal) || name.EndsWith("Len", StringComparison.Ordinal) || name.EndsWith("Size", StringComparison.Ordinal))
        && !name.EndsWith("PrefixLength", StringComparison.Ordinal);

    static OutType NumberOutType(string name)
    {
        bool isError = name is "Status" or "NtStatus" or "NdisStatus" or "Error" or "ErrorCode" or "RequestStatus" or "WaitStatus";
        return isError ? OutType.ErrorCode : OutType.Default;
    }

    FieldSchema Create(EventRow row, EventRowField field, int index, int build)
    {
        if (provider is PacketCapture && IsLostStruct(row, field))
        {
            return new FieldSchema(field.Name, InType.Struct) { Count = FieldLength.In(index - 1) };
        }

        return new FieldSchema(field.Name, InTypeOf(field.Type))
        {
            OutType = OutTypeOf(row, field),
            Map = maps.Find(provider, build, row, field),
            Length = field.Type is "Binary" ? LengthOf(row, field, index) : FieldLength.None,
        };
    }

    OutType OutTypeOf(EventRow row, EventRowField field) => field.Type switch
    {
        "UInt32" when IsIpv4(field.Name) => OutType.Ipv4,
        "UInt32" or "Int32" => NumberOutType(field.Name),
        "UInt16" when IsPort(row, field.Name) => OutType.Port,
        "Binary" => BinaryOutType(row, field.Name),
        _ => OutType.Default,
    };

    bool IsIpv4(string name) => provider switch
    {
        KernelNetwork => name is "daddr" or "saddr",
        Afd => name is "Address",
        PktMon => name is "IpAddress" or "IpAddress1" or "IpAddress2" or "SourceIP" or "DestinationIP",
        _ => manifest.Ipv4Fields.Contains(name) || (name.StartsWith("IPv4", StringComparison.Ordinal) && !name.Contains("Length", StringComparison.Ordinal)),
    };

    bool IsPort(EventRow row, string name) => provider switch
    {
        KernelNetwork => name is "dport" or "sport",
        Afd => name is "Port",
        PktMon => row.Id >= 120 && name is "SourcePort" or "DestinationPort",
        _ => false,
    };

    OutType BinaryOutType(EventRow row, string name)
    {
        if (HardwareAddresses.Contains(name))
        {
            return OutType.Mac;
        }

        // Old AFD events (below 1000) hold the bare IPv6 address beside a port, newer ones a SOCKADDR.
        if (SocketAddresses.Contains(name) || (provider is Afd && name is "Address" && row.Id >= 1000))
        {
            return OutType.SocketAddress;
        }

        bool isAddress = name is "daddr" or "saddr"
            || name.EndsWith("Address", StringComparison.Ordinal) || name.EndsWith("IP", StringComparison.Ordinal)
            || name.StartsWith("IpAddress", StringComparison.Ordinal) || name.StartsWith("TargetIPAddress", StringComparison.Ordinal)
            || name.EndsWith("Prefix", StringComparison.Ordinal) || name.EndsWith("NextHop", StringComparison.Ordinal);
        return isAddress ? OutType.IpAddress : OutType.Default;
    }

    FieldLength LengthOf(EventRow row, EventRowField field, int index)
    {
        if (FixedLength(row, field.Name) is { } constant)
        {
            return FieldLength.Of(constant);
        }

        foreach (string candidate in LengthNames(field.Name))
        {
            int found = IndexBefore(row, index, name => name.Equals(candidate, StringComparison.Ordinal));
            if (found >= 0)
            {
                return FieldLength.In(found);
            }
        }

        int nearest = IndexBefore(row, index, IsLengthName);
        return nearest >= 0
            ? FieldLength.In(nearest)
            : throw new InvalidDataException($"{provider} {row.Id} v{row.Version}: nothing gives {field.Name} its length");
    }

    int? FixedLength(EventRow row, string name) => provider switch
    {
        KernelNetwork => Ipv6Length,
        Afd when row.Id < 1000 => Ipv6Length,
        PktMon when HardwareAddresses.Contains(name) => MacLength,
        PktMon when name is not ("Payload" or "Value") => Ipv6Length,
        _ => null,
    };

    IEnumerable<string> LengthNames(string name)
    {
        yield return name + "Length";
        foreach (string shown in manifest.Lengths.GetValueOrDefault(name) ?? [])
        {
            yield return shown;
        }

        if (name is "Payload")
        {
            yield return "LoggedPayloadSize";
        }
    }

    static int IndexBefore(EventRow row, int index, Func<string, bool> isMatch)
    {
        for (int i = index - 1; i >= 0; i--)
        {
            if (row.Fields[i].Type is not "Binary" && isMatch(row.Fields[i].Name))
            {
                return i;
            }
        }

        return -1;
    }
}
