using System;
using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>Memory of a socket: the words of SK_MEMINFO_* (linux/sock_diag.h) by name.</summary>
static class SocketMemory
{
    static readonly string[] Names = ["rmem_alloc", "rcvbuf", "wmem_alloc", "sndbuf", "fwd_alloc", "wmem_queued", "optmem", "backlog", "drops"];

    /// <summary>Puts them into words.</summary>
    /// <param name="words">32-bit words.</param>
    /// <returns>E.g. <c>rmem_alloc=0 rcvbuf=131072 …</c>.</returns>
    public static string Describe(ReadOnlySpan<byte> words)
    {
        var text = new StringBuilder();
        for (int i = 0; i < Names.Length && (i + 1) * sizeof(uint) <= words.Length; i++)
        {
            uint value = BinaryPrimitives.ReadUInt32LittleEndian(words[(i * sizeof(uint))..]);
            text.Append(CultureInfo.InvariantCulture, $"{(i == 0 ? string.Empty : " ")}{Names[i]}={value}");
        }

        return text.ToString();
    }
}
