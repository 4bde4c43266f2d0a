using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// A trace buffer of our own (Documentation/trace/ftrace.rst, "Instances"), so that no other user of tracing is disturbed.
/// Its name contains process id and start time: the next start removes what a killed recorder has left.
/// </summary>
sealed class TracefsInstance : IDisposable
{
    const string Prefix = "tcpdiag-";

    static readonly TimeSpan LongestBusy = TimeSpan.FromSeconds(1);

    readonly TracefsMount _mount;
    readonly string _folder;

    TracefsInstance(TracefsMount mount, string folder)
    {
        _mount = mount;
        _folder = folder;
    }

    public IReadOnlyList<int> Processors => [.. Directory.EnumerateDirectories(Path.Join(_folder, "per_cpu"))
        .Select(folder => int.Parse(Path.GetFileName(folder).AsSpan(3), NumberStyles.None, CultureInfo.InvariantCulture))
        .Order()];

    /// <summary>Removes what is left of dead recorders and makes a new instance.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static TracefsInstance Create(TracefsMount mount, int number)
    {
        RemoveAbandoned(mount);
        string name = FormattableString.Invariant($"{Prefix}{Environment.ProcessId}-{Proc.StartOf(Environment.ProcessId)}-{number}");
        string folder = Path.Join(mount.Root, "instances", name);
        try
        {
            Directory.CreateDirectory(folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new CaptureException($"cannot make a trace instance: {exception.Message}. --no-events records packets only.", exception.HResult);
        }

        return new(mount, folder);
    }

    /// <summary>Removes instances whose process is gone. One that is still being read cannot be removed.</summary>
    public static int RemoveAbandoned(TracefsMount mount)
    {
        int removed = 0;
        foreach (string folder in Directory.EnumerateDirectories(Path.Join(mount.Root, "instances"), Prefix + "*"))
        {
            string[] parts = Path.GetFileName(folder).Split('-');
            bool isOurs = parts.Length == 4 && int.TryParse(parts[1], CultureInfo.InvariantCulture, out int process)
                && !string.Equals(Proc.StartOf(process), parts[2], StringComparison.Ordinal);
            removed += isOurs && TryRemove(folder) ? 1 : 0;
        }

        return removed;
    }

    /// <summary>Writes a setting, e.g. <c>trace_clock</c>.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public void Write(string file, string value)
    {
        try
        {
            File.WriteAllText(Path.Join(_folder, file), value);
        }
        catch (IOException exception)
        {
            throw new CaptureException($"cannot set {file} to {value}: {exception.Message}. --no-events records packets only.", exception.HResult);
        }
    }

    /// <summary>Opens the raw events of a processor.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public TracePipe OpenPipe(int processor) =>
        TracePipe.Open(FormattableString.Invariant($"{_folder}/per_cpu/cpu{processor}/trace_pipe_raw"));

    /// <summary>Events of a processor that were overwritten or dropped before they were read.</summary>
    public long ReadLost(int processor)
    {
        string text = File.ReadAllText(FormattableString.Invariant($"{_folder}/per_cpu/cpu{processor}/stats"));
        long lost = 0;
        foreach (string line in text.Split('\n'))
        {
            string[] parts = line.Split(": ", StringSplitOptions.TrimEntries);
            bool isLoss = parts is ["overrun" or "commit overrun" or "dropped events", _];
            lost += isLoss && long.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out long count) ? count : 0;
        }

        return lost;
    }

    /// <summary>Removes the instance; its pipes must be closed before.</summary>
    /// <remarks>A child process between fork and exec still holds our files, which keeps the instance busy for a moment.</remarks>
    public void Dispose()
    {
        _ = SpinWait.SpinUntil(() => TryRemove(_folder), LongestBusy);
        _mount.Dispose();
    }

    static bool TryRemove(string folder)
    {
        try
        {
            Directory.Delete(folder);
            return true;
        }
        catch (IOException)
        {
            // Busy: another program has one of its files open. The next start tries again.
            return false;
        }
    }
}

/// <summary>The raw events of one processor, a page at a time and non-blocking: a blocking read holds pages back until they are overwritten.</summary>
sealed class TracePipe : IDisposable
{
    readonly FileDescriptor _file;

    TracePipe(FileDescriptor file) => _file = file;

    /// <summary>Opens a <c>trace_pipe_raw</c>.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static TracePipe Open(string path)
    {
        FileDescriptor file = Libc.Open(path, Libc.ReadOnly | Libc.NonBlocking | Libc.CloseOnExec);
        if (!file.IsInvalid)
        {
            return new(file);
        }

        int error = Libc.LastError();
        throw new CaptureException($"cannot open {path}: {Libc.Describe(error)}. --no-events records packets only.", error);
    }

    /// <summary>Reads one page.</summary>
    /// <returns>Its bytes; 0 when nothing is waiting.</returns>
    public int Read(Span<byte> page) => (int)Math.Max(Libc.Read(_file, page, page.Length), 0);

    public void Dispose() => _file.Dispose();
}

/// <summary>
/// tracefs, mounted for this process alone: a detached mount, reached through its
/// descriptor (fsopen(2), fsmount(2); Linux 5.2). It needs no mount point, works inside <c>ip netns exec</c>, where /sys is
/// another, and disappears with the process, however that ends.
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
    /// <returns>The text; null when there is no such file.</returns>
    public string? TryReadText(string path)
    {
        string file = Path.Join(Root, path);
        return File.Exists(file) ? File.ReadAllText(file) : null;
    }

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
