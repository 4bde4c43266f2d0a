using System;
using System.Buffers.Binary;
using System.Text;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>
/// The ethtool ioctl on one interface (linux/ethtool.h). Numbers are in the machine's byte order, which is little-endian wherever we build for.
/// </summary>
sealed unsafe class Ethtool : IDisposable
{
    const uint RequestEthtool = 0x8946;
    const int RequestLength = 40;
    const int NameLength = 16;
    const int FamilyIpv4 = 2;
    const int Datagram = 2;
    const int StringLength = 32;

    // Drivers name some hundred counters, the largest some thousands.
    const int MaxStrings = 16_384;

    const uint GetStringSetInfo = 0x37;
    const uint GetStrings = 0x1B;

    readonly FileDescriptor _socket = Libc.Socket(FamilyIpv4, Datagram | Libc.CloseOnExec, 0);
    readonly string _interface;

    /// <summary>Opens the way to an interface.</summary>
    public Ethtool(string name) => _interface = name;

    /// <summary>Asks, with the command in the first four bytes of the argument.</summary>
    /// <param name="command">ETHTOOL_G….</param>
    /// <param name="argument">The structure of that command; overwritten by the answer.</param>
    /// <returns>False when the driver does not know the command.</returns>
    public bool TryAsk(uint command, Span<byte> argument)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(argument, command);
        byte* request = stackalloc byte[RequestLength];
        var bytes = new Span<byte>(request, RequestLength);
        bytes.Clear();
        Encoding.UTF8.GetBytes(_interface.AsSpan(0, Math.Min(_interface.Length, NameLength - 1)), bytes[..(NameLength - 1)]);
        fixed (byte* data = argument)
        {
            *(nint*)(request + NameLength) = (nint)data;
            return Libc.Control(_socket, RequestEthtool, bytes) == 0;
        }
    }

    /// <summary>The names of a set.</summary>
    /// <param name="set">ETH_SS_….</param>
    /// <returns>The names in their order; none when the driver has no such set.</returns>
    public string[] Strings(int set)
    {
        int count = CountStrings(set);
        byte[] answer = new byte[12 + (count * StringLength)];
        BinaryPrimitives.WriteInt32LittleEndian(answer.AsSpan(4), set);
        BinaryPrimitives.WriteInt32LittleEndian(answer.AsSpan(8), count);
        if (count == 0 || !TryAsk(GetStrings, answer))
        {
            return [];
        }

        string[] names = new string[count];
        for (int i = 0; i < count; i++)
        {
            names[i] = Text(answer.AsSpan(12 + (i * StringLength), StringLength));
        }

        return names;
    }

    public static string Text(ReadOnlySpan<byte> bytes)
    {
        int end = bytes.IndexOf((byte)0);
        return Encoding.ASCII.GetString(end < 0 ? bytes : bytes[..end]).Trim();
    }

    public void Dispose() => _socket.Dispose();

    // struct ethtool_sset_info: command, reserved, mask of the sets asked for, one count for each set there is.
    int CountStrings(int set)
    {
        Span<byte> info = stackalloc byte[20];
        info.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(info[8..], 1UL << set);
        bool isThere = TryAsk(GetStringSetInfo, info) && BinaryPrimitives.ReadUInt64LittleEndian(info[8..]) != 0;
        return isThere ? (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(info[16..]), MaxStrings) : 0;
    }
}
