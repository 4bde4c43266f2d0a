using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// The system's tables of sockets with their processes (GetExtendedTcpTable, GetExtendedUdpTable). They are as long as the machine has sockets, so
/// they are read for a flow's first packet only.
/// </summary>
[SupportedOSPlatform("windows")]
static partial class SocketOwners
{
    const int FamilyInet = 2;
    const int FamilyInet6 = 23;
    const int TcpAllWithOwner = 5; // TCP_TABLE_OWNER_PID_ALL
    const int UdpWithOwner = 1;    // UDP_TABLE_OWNER_PID
    // Others may open sockets between two calls; the table then needs more room than was said.
    const int Attempts = 4;

    /// <summary>The process that has a flow, or for UDP the port.</summary>
    /// <returns>Its id; 0 when no table has it.</returns>
    public static int Find(FlowEnds ends) =>
        SocketTable.FindOwner(ReadTable(ends.Protocol == IpProtocol.Tcp, ends.Local.Address.IsIpv4 ? FamilyInet : FamilyInet6), ends);

    static ReadOnlySpan<byte> ReadTable(bool isTcp, int family)
    {
        byte[] table = [];
        uint length = 0;
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            uint code = isTcp
                ? GetTcpTable(table, ref length, sorted: false, family, TcpAllWithOwner, 0)
                : GetUdpTable(table, ref length, sorted: false, family, UdpWithOwner, 0);
            if (code == 0)
            {
                return table;
            }

            table = new byte[length];
        }

        return [];
    }

    [LibraryImport("iphlpapi", EntryPoint = "GetExtendedTcpTable")]
    private static partial uint GetTcpTable(
        Span<byte> table, ref uint length, [MarshalAs(UnmanagedType.Bool)] bool sorted, int family, int kind, uint reserved);

    [LibraryImport("iphlpapi", EntryPoint = "GetExtendedUdpTable")]
    private static partial uint GetUdpTable(
        Span<byte> table, ref uint length, [MarshalAs(UnmanagedType.Bool)] bool sorted, int family, int kind, uint reserved);
}

/// <summary>A table of sockets with their processes as Windows gives it: the number of rows, then the rows (tcpmib.h, udpmib.h).</summary>
static class SocketTable
{
    const int HeaderBytes = 4; // the number of rows

    // Offsets in MIB_TCPROW_OWNER_PID, MIB_TCP6ROW_OWNER_PID, MIB_UDPROW_OWNER_PID and MIB_UDP6ROW_OWNER_PID; −1 where there is no such field. Ports are in
    // network order in the first two bytes of theirs.
    static readonly Row Tcp = new(RowBytes: 24, LocalAddress: 4, LocalPort: 8, RemoteAddress: 12, RemotePort: 16, Owner: 20, AddressBytes: 4);
    static readonly Row Tcp6 = new(RowBytes: 56, LocalAddress: 0, LocalPort: 20, RemoteAddress: 24, RemotePort: 44, Owner: 52, AddressBytes: 16);
    static readonly Row Udp = new(RowBytes: 12, LocalAddress: 0, LocalPort: 4, RemoteAddress: -1, RemotePort: -1, Owner: 8, AddressBytes: 4);
    static readonly Row Udp6 = new(RowBytes: 28, LocalAddress: 0, LocalPort: 20, RemoteAddress: -1, RemotePort: -1, Owner: 24, AddressBytes: 16);

    /// <summary>The process that has a flow, or for UDP the port.</summary>
    /// <param name="table">The table of the flow's protocol and family; a cut one is searched as far as it goes.</param>
    /// <param name="ends">The flow.</param>
    /// <returns>Its id; 0 when no row has it.</returns>
    public static int FindOwner(ReadOnlySpan<byte> table, FlowEnds ends)
    {
        Row row = (ends.Protocol == IpProtocol.Tcp, ends.Local.Address.IsIpv4) switch
        {
            (true, true) => Tcp,
            (true, false) => Tcp6,
            (false, true) => Udp,
            _ => Udp6,
        };
        if (table.Length < HeaderBytes)
        {
            return 0;
        }

        uint count = Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(table), (uint)((table.Length - HeaderBytes) / row.RowBytes));
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> bytes = table.Slice(HeaderBytes + (i * row.RowBytes), row.RowBytes);
            if (IsOf(bytes, row, ends))
            {
                return BinaryPrimitives.ReadInt32LittleEndian(bytes[row.Owner..]);
            }
        }

        return 0;
    }

    // A UDP socket has every peer; one that is bound to no address has those of every interface.
    static bool IsOf(ReadOnlySpan<byte> bytes, Row row, FlowEnds ends) => row.RemotePort < 0
        ? IsEnd(bytes, row.LocalAddress, row.LocalPort, row.AddressBytes, ends.Local, orAny: true)
        : IsEnd(bytes, row.LocalAddress, row.LocalPort, row.AddressBytes, ends.Local, orAny: false)
            && IsEnd(bytes, row.RemoteAddress, row.RemotePort, row.AddressBytes, ends.Remote, orAny: false);

    static bool IsEnd(ReadOnlySpan<byte> bytes, int address, int port, int addressBytes, Endpoint end, bool orAny)
    {
        IpAddress found = IpAddress.Read(bytes.Slice(address, addressBytes));
        return BinaryPrimitives.ReadUInt16BigEndian(bytes[port..]) == end.Port && (found == end.Address || (orAny && found.IsUnspecified));
    }

    readonly record struct Row(int RowBytes, int LocalAddress, int LocalPort, int RemoteAddress, int RemotePort, int Owner, int AddressBytes);
}
