using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Layouts of the classic (MOF) kernel events this program reads: TcpIp and UdpIp, Process, and the log file header. They
/// have no manifest; docs/formats/etl.md, "Kernel TcpIp / UdpIp records", and the MOF classes Process_TypeGroup1 and
/// EventTrace_Header say what they hold.
/// </summary>
public static class ClassicSchemas
{
    /// <summary>Class of the log file header and other events about the trace itself (kernel group 0).</summary>
    public static readonly Guid EventTrace = new("68fdd900-4a3e-11d1-84f4-0000f80464e3");

    /// <summary>Class of process events (kernel group 3).</summary>
    public static readonly Guid Process = new("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");

    /// <summary>Class of TCP events (kernel group 6).</summary>
    public static readonly Guid TcpIp = new("9a280ac0-c8e0-11d1-84e2-00c04fb998a2");

    /// <summary>Class of UDP events (kernel group 8).</summary>
    public static readonly Guid UdpIp = new("bf3a50c5-a9c9-4988-a005-2df0b7c80f80");

    // Opcodes of IPv6 events are those of IPv4 events and this.
    const int Ipv6 = 16;

    static readonly Dictionary<(Guid, int), string> Names = new()
    {
        [(EventTrace, 0)] = "Header",
        [(Process, 1)] = "Start",
        [(Process, 2)] = "End",
        [(Process, 3)] = "DCStart",
        [(Process, 4)] = "DCEnd",
        [(Process, 39)] = "Defunct",
        [(TcpIp, 10)] = "SendIPV4",
        [(TcpIp, 11)] = "RecvIPV4",
        [(TcpIp, 12)] = "ConnectIPV4",
        [(TcpIp, 13)] = "DisconnectIPV4",
        [(TcpIp, 14)] = "RetransmitIPV4",
        [(TcpIp, 15)] = "AcceptIPV4",
        [(TcpIp, 16)] = "ReconnectIPV4",
        [(TcpIp, 17)] = "Fail",
        [(TcpIp, 18)] = "TCPCopyIPV4",
        [(TcpIp, 10 + Ipv6)] = "SendIPV6",
        [(TcpIp, 11 + Ipv6)] = "RecvIPV6",
        [(TcpIp, 12 + Ipv6)] = "ConnectIPV6",
        [(TcpIp, 13 + Ipv6)] = "DisconnectIPV6",
        [(TcpIp, 14 + Ipv6)] = "RetransmitIPV6",
        [(TcpIp, 15 + Ipv6)] = "AcceptIPV6",
        [(TcpIp, 16 + Ipv6)] = "ReconnectIPV6",
        [(TcpIp, 18 + Ipv6)] = "TCPCopyIPV6",
        [(UdpIp, 10)] = "SendIPV4",
        [(UdpIp, 11)] = "RecvIPV4",
        [(UdpIp, 17)] = "Fail",
        [(UdpIp, 10 + Ipv6)] = "SendIPV6",
        [(UdpIp, 11 + Ipv6)] = "RecvIPV6",
    };

    /// <summary>Finds the layout of a classic event.</summary>
    /// <param name="classId">The class.</param>
    /// <param name="opcode">The opcode.</param>
    /// <param name="version">The version.</param>
    /// <returns>A new schema, or null when the event is none of the known ones. Keep it: it is made anew by each call.</returns>
    public static EventSchema? Find(Guid classId, int opcode, int version)
    {
        if (!Names.TryGetValue((classId, opcode), out string? name))
        {
            return null;
        }

        return new EventSchema(FieldsOf(classId, opcode, version))
        {
            Provider = classId,
            ProviderName = ProviderName(classId),
            Name = name,
            Version = version,
            Opcode = name,
        };
    }

    /// <summary>The name of a class.</summary>
    /// <param name="classId">The class.</param>
    /// <returns>E.g. <c>Kernel-TcpIp</c>; empty when it is none of the known ones.</returns>
    public static string ProviderName(Guid classId) => classId switch
    {
        _ when classId == EventTrace => "Kernel-EventTrace",
        _ when classId == Process => "Kernel-Process",
        _ when classId == TcpIp => "Kernel-TcpIp",
        _ when classId == UdpIp => "Kernel-UdpIp",
        _ => string.Empty,
    };

    static FieldSchema[] FieldsOf(Guid classId, int opcode, int version)
    {
        if (classId == EventTrace)
        {
            return HeaderFields();
        }

        if (classId == Process)
        {
            return ProcessFields(version);
        }

        return opcode == 17 ? [Field("Proto", InType.UInt16), Field("FailureCode", InType.UInt16)] : TransferFields(opcode, version);
    }

    static FieldSchema[] TransferFields(int opcode, int version)
    {
        bool isIpv6 = opcode >= 10 + Ipv6;
        List<FieldSchema> fields =
        [
            Field("PID", InType.UInt32),
            Field("size", InType.UInt32),
            Address("daddr", isIpv6),
            Address("saddr", isIpv6),
            Field("dport", InType.UInt16, OutType.Port),
            Field("sport", InType.UInt16, OutType.Port),
        ];
        fields.AddRange((isIpv6 ? opcode - Ipv6 : opcode) switch
        {
            10 => [Field("startime", InType.UInt32), Field("endtime", InType.UInt32)],
            12 or 15 => OpeningFields(),
            _ => [],
        });

        FieldSchema sequence = Field("seqnum", InType.UInt32);
        FieldSchema connection = Field("connid", InType.Pointer);
        fields.AddRange(version == 1 ? [connection, sequence] : [sequence, connection]);
        return [.. fields];
    }

    static FieldSchema[] OpeningFields() =>
    [
        Field("mss", InType.UInt16),
        Field("sackopt", InType.UInt16),
        Field("tsopt", InType.UInt16),
        Field("wsopt", InType.UInt16),
        Field("rcvwin", InType.UInt32),
        Field("rcvwinscale", InType.Int16),
        Field("sndwinscale", InType.Int16),
    ];

    // Process_TypeGroup1. What later versions append after ApplicationId stays undecoded.
    static FieldSchema[] ProcessFields(int version)
    {
        List<FieldSchema> fields =
        [
            Field(version < 2 ? "PageDirectoryBase" : "UniqueProcessKey", InType.Pointer),
            Field("ProcessId", InType.UInt32),
            Field("ParentId", InType.UInt32),
            Field("SessionId", InType.UInt32),
            Field("ExitStatus", InType.Int32),
        ];
        if (version >= 3)
        {
            fields.Add(Field("DirectoryTableBase", InType.Pointer));
        }

        if (version >= 4)
        {
            fields.Add(Field("Flags", InType.UInt32, OutType.Hex));
        }

        fields.Add(Field("UserSID", InType.WbemSid));
        fields.Add(Field("ImageFileName", InType.AnsiString));
        if (version >= 2)
        {
            fields.Add(Field("CommandLine", InType.UnicodeString));
        }

        if (version >= 4)
        {
            fields.Add(Field("PackageFullName", InType.UnicodeString));
            fields.Add(Field("ApplicationId", InType.UnicodeString));
        }

        return [.. fields];
    }

    static FieldSchema[] HeaderFields() =>
    [
        Field("BufferSize", InType.UInt32),
        Field("Version", InType.UInt32, OutType.Hex),
        Field("ProviderVersion", InType.UInt32),
        Field("NumberOfProcessors", InType.UInt32),
        Field("EndTime", InType.FileTime),
        Field("TimerResolution", InType.UInt32),
        Field("MaxFileSize", InType.UInt32),
        Field("LogFileMode", InType.UInt32, OutType.Hex),
        Field("BuffersWritten", InType.UInt32),
        Field("StartBuffers", InType.UInt32),
        Field("PointerSize", InType.UInt32),
        Field("EventsLost", InType.UInt32),
        Field("CPUSpeed", InType.UInt32),
        Field("LoggerName", InType.Pointer),
        Field("LogFileName", InType.Pointer),
        new FieldSchema("TimeZoneInformation", InType.Binary) { Length = FieldLength.Of(172) },
        new FieldSchema("Padding", InType.Binary) { Length = FieldLength.Of(4) },
        Field("BootTime", InType.FileTime),
        Field("PerfFreq", InType.UInt64),
        Field("StartTime", InType.FileTime),
        Field("ReservedFlags", InType.UInt32),
        Field("BuffersLost", InType.UInt32),
        Field("SessionNameString", InType.UnicodeString),
        Field("LogFileNameString", InType.UnicodeString),
    ];

    static FieldSchema Field(string name, InType type, OutType outType = OutType.Default) => new(name, type) { OutType = outType };

    static FieldSchema Address(string name, bool isIpv6) => isIpv6
        ? new FieldSchema(name, InType.Binary) { OutType = OutType.IpAddress, Length = FieldLength.Of(16) }
        : new FieldSchema(name, InType.UInt32) { OutType = OutType.Ipv4 };
}
