using System;
using System.Buffers.Binary;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.Capture.Linux.Native;

/// <summary>Whom a file or folder belongs to (statx(2), whose layout is the same on every architecture).</summary>
[SupportedOSPlatform("linux")]
static class FileOwner
{
    const int Root = 0;

    const int StatxBytes = 256;
    const int OwnerOffset = 20;

    /// <summary>Looks at a file or folder.</summary>
    /// <param name="path">Its path; a link is not followed.</param>
    /// <returns>Who but root and this user can change it, a clause; null when nobody can.</returns>
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

    static unsafe uint Read(string path)
    {
        byte* answer = stackalloc byte[StatxBytes];
        return Libc.Statx(Libc.CurrentFolder, path, Libc.NoFollow, Libc.StatxOwner, answer) == 0
            ? BinaryPrimitives.ReadUInt32LittleEndian(new ReadOnlySpan<byte>(answer + OwnerOffset, sizeof(uint)))
            : throw new CaptureException($"{path}: cannot tell whom it belongs to: {Libc.Describe(Libc.LastError())}.", Libc.LastError());
    }
}
