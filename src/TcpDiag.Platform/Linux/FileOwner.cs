using System;
using System.Buffers.Binary;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.Platform.Linux;

/// <summary>Who besides root may change a file or folder of Linux, by its owner and mode (statx(2), whose layout is the same on every architecture).</summary>
[SupportedOSPlatform("linux")]
static class FileOwner
{
    const int Root = 0;
    const int StatxBytes = 256;
    const int StatxOwnerOffset = 20;

    /// <summary>Looks at a file or folder; a link is not followed.</summary>
    /// <returns>Who but root and this user can change it, a clause; null when nobody can.</returns>
    /// <exception cref="IOException">The system does not say whom it belongs to.</exception>
    public static string? WhyNotPrivate(string path)
    {
        uint owner = Read(path);
        if (owner != Root && owner != Libc.UserId())
        {
            return FormattableString.Invariant($"it belongs to user {owner}");
        }

        UnixFileMode writable = File.GetUnixFileMode(path) & (UnixFileMode.GroupWrite | UnixFileMode.OtherWrite);
        return writable == UnixFileMode.None ? null : $"others may write it ({writable})";
    }

    static uint Read(string path)
    {
        Span<byte> answer = stackalloc byte[StatxBytes];
        return Libc.Statx(Libc.CurrentFolder, path, Libc.NoFollow, Libc.StatxOwner, answer) == 0
            ? BinaryPrimitives.ReadUInt32LittleEndian(answer[StatxOwnerOffset..])
            : throw new IOException($"{path}: cannot tell whom it belongs to: {Libc.Describe(Libc.LastError())}.");
    }
}
