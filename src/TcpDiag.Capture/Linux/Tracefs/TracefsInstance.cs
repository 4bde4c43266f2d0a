using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// A trace buffer of our own (Documentation/trace/ftrace.rst, "Instances"), so that no other user of tracing is disturbed.
/// Its name carries process id and start time: the next start removes what a killed recorder left.
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

    /// <summary>Processors that have a buffer.</summary>
    public IReadOnlyList<int> Processors => [.. Directory.EnumerateDirectories(Path.Join(_folder, "per_cpu"))
        .Select(folder => int.Parse(Path.GetFileName(folder).AsSpan(3), NumberStyles.None, CultureInfo.InvariantCulture))
        .Order()];

    /// <summary>Removes what is left of dead recorders and makes a new instance.</summary>
    /// <param name="mount">tracefs.</param>
    /// <param name="number">Tells several instances of one process apart.</param>
    /// <returns>The instance, with nothing enabled.</returns>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static TracefsInstance Create(TracefsMount mount, int number)
    {
        RemoveAbandoned(mount);
        string name = FormattableString.Invariant($"{Prefix}{Environment.ProcessId}-{ProcessStart.Read(Environment.ProcessId)}-{number}");
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

    /// <summary>Removes instances whose process is gone. One that is still read by somebody cannot be removed, and is not.</summary>
    /// <param name="mount">tracefs.</param>
    /// <returns>How many were removed.</returns>
    public static int RemoveAbandoned(TracefsMount mount)
    {
        int removed = 0;
        foreach (string folder in Directory.EnumerateDirectories(Path.Join(mount.Root, "instances"), Prefix + "*"))
        {
            string[] parts = Path.GetFileName(folder).Split('-');
            bool isOurs = parts.Length == 4 && int.TryParse(parts[1], CultureInfo.InvariantCulture, out int process)
                && !string.Equals(ProcessStart.Read(process), parts[2], StringComparison.Ordinal);
            removed += isOurs && TryRemove(folder) ? 1 : 0;
        }

        return removed;
    }

    /// <summary>Writes a setting, e.g. <c>trace_clock</c>.</summary>
    /// <param name="file">Path below the instance.</param>
    /// <param name="value">What to write.</param>
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
    /// <param name="processor">Its number.</param>
    /// <returns>The pipe.</returns>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public TracePipe OpenPipe(int processor) =>
        TracePipe.Open(FormattableString.Invariant($"{_folder}/per_cpu/cpu{processor}/trace_pipe_raw"));

    /// <summary>Events of a processor that were overwritten or dropped before they were read.</summary>
    /// <param name="processor">Its number.</param>
    /// <returns>The count since the instance was made.</returns>
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
    /// <remarks>A program that is just being started still holds our files, until its own image takes the place of ours: then it is busy for a moment.</remarks>
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
