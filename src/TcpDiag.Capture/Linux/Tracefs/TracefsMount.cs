using System;
using System.IO;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// tracefs, mounted for this process alone: a mount that hangs nowhere in the file tree and is reached through its
/// descriptor (fsopen(2), fsmount(2); Linux 5.2). It needs no mount point, works inside <c>ip netns exec</c>, where /sys is
/// another, and goes with the process, however that ends.
/// </summary>
sealed class TracefsMount : IDisposable
{
    const nint CloseOnExec = 1;

    // linux/mount.h: FSCONFIG_CMD_CREATE
    const nint CommandCreate = 6;

    readonly FileDescriptor _mount;

    TracefsMount(FileDescriptor mount)
    {
        _mount = mount;
        Root = FormattableString.Invariant($"/proc/self/fd/{mount.Number}");
    }

    /// <summary>Path of the file system's root, valid in this process until the mount is disposed.</summary>
    public string Root { get; }

    /// <summary>Mounts tracefs.</summary>
    /// <returns>The mount.</returns>
    /// <exception cref="CaptureException">Rights are missing, or the kernel has no tracing.</exception>
    public static TracefsMount Open()
    {
        nint context = Libc.FsOpen(Libc.SysFsOpen, "tracefs", CloseOnExec);
        if (context < 0)
        {
            throw Refused();
        }

        try
        {
            if (Libc.FsConfig(Libc.SysFsConfig, context, CommandCreate, 0, 0, 0) < 0)
            {
                throw Refused();
            }

            FileDescriptor mount = Libc.FsMount(Libc.SysFsMount, context, CloseOnExec, 0);
            return mount.IsInvalid ? throw Refused() : new(mount);
        }
        finally
        {
            _ = Libc.Close((int)context);
        }
    }

    /// <summary>Reads a small file.</summary>
    /// <param name="path">Its path below the root.</param>
    /// <returns>The text; null when there is no such file.</returns>
    public string? TryReadText(string path)
    {
        string file = Path.Join(Root, path);
        return File.Exists(file) ? File.ReadAllText(file) : null;
    }

    /// <inheritdoc/>
    public void Dispose() => _mount.Dispose();

    static CaptureException Refused()
    {
        int error = Libc.LastError();
        string cure = error is Errno.NotPermitted or Errno.AccessDenied
            ? "Kernel events need root (CAP_SYS_ADMIN): put sudo before the command; --no-events records packets only."
            : "Kernel events need Linux 5.2 or later with CONFIG_FTRACE; --no-events records packets only.";
        return new($"cannot open tracefs: {Libc.Describe(error)}. {cure}", error);
    }
}
