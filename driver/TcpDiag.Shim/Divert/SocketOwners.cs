using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// The system's tables of sockets with their processes (GetExtendedTcpTable, GetExtendedUdpTable). They are as long as the machine has sockets, so they are read for a
/// flow's first packet only.
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
    /// <param name="ends">The flow.</param>
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
    private static partial uint GetTcpTable(Span<byte> table, ref uint length, [MarshalAs(UnmanagedType.Bool)] bool sorted, int family, int kind, uint reserved);

    [LibraryImport("iphlpapi", EntryPoint = "GetExtendedUdpTable")]
    private static partial uint GetUdpTable(Span<byte> table, ref uint length, [MarshalAs(UnmanagedType.Bool)] bool sorted, int family, int kind, uint reserved);
}
