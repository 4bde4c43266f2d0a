using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>
/// Learns the owner of a connection from the system calls that open and close it, seen in the kernel's events: also for connections too short to be
/// listed. A connection is opened before it has a local port, so the socket's address stands for it until then.
/// </summary>
/// <param name="table">Receives the owners.</param>
/// <param name="names">Names of threads that have ended before they were looked at.</param>
/// <param name="readsThreads">Whether threads of events can be looked up here (<see cref="ReadsThreads"/>).</param>
sealed class SocketCallers(OwnerTable table, SavedNames names, bool readsThreads)
{
    const int MaxOpening = 1 << 16;

    // PROC_PID_INIT_INO, linux/proc_ns.h
    const string FirstNamespace = "pid:[4026531836]";

    readonly Dictionary<ulong, SocketOwner> _opening = [];

    /// <summary>Whether process ids here are those of the kernel's events; in a PID namespace of its own, a container, they would be other processes.</summary>
    public static bool ReadsThreads => string.Equals(new FileInfo("/proc/self/ns/pid").LinkTarget, FirstNamespace, StringComparison.Ordinal);

    /// <summary>Looks at an event.</summary>
    /// <param name="stackEvent">The event.</param>
    /// <param name="thread">The thread in whose system call it happened; 0 for none.</param>
    public void OnEvent(StackEvent stackEvent, int thread)
    {
        if (stackEvent.Kind != StackEventKind.StateChanged || !stackEvent.TryGet(StackField.State, out long state))
        {
            return;
        }

        SocketOwner owner = default;
        bool isCall = state is TcpStates.SynSent or TcpStates.FinWait1 or TcpStates.LastAck;
        bool isKnown = (isCall && thread != 0 && readsThreads && TryFind(thread, out owner)) || _opening.TryGetValue(stackEvent.Tcb, out owner);
        if (stackEvent is { Local: { Port: not 0 } local, Remote: { } remote })
        {
            _opening.Remove(stackEvent.Tcb);
            Add(local, remote, isKnown ? owner : null);
        }
        else if (isKnown && _opening.Count < MaxOpening)
        {
            _opening[stackEvent.Tcb] = owner;
        }
    }

    void Add(Endpoint local, Endpoint remote, SocketOwner? owner)
    {
        long now = Libc.Now(Libc.ClockMonotonic);
        if (owner is { } known)
        {
            table.Add(new(local, remote, Inode: 0), known, now);
        }
        else
        {
            table.AddIncoming(local, remote, now);
        }
    }

    bool TryFind(int thread, out SocketOwner owner)
    {
        try
        {
            uint process = ProcessOf(File.ReadAllText(FormattableString.Invariant($"/proc/{thread}/status")));
            owner = new(process, Proc.NameOf(FormattableString.Invariant($"/proc/{process}")));
            return true;
        }
        catch (IOException)
        {
            // It has ended. A process that short-lived has, as a rule, one thread, with the id and the name of the process.
            string? name = names.Find(thread, Libc.Now(Libc.ClockMonotonic));
            owner = new((uint)thread, name ?? string.Empty);
            return name is not null;
        }
    }

    /// <summary>The process of a thread.</summary>
    /// <param name="status">Text of its <c>/proc/TID/status</c> (proc_pid_status(5)).</param>
    /// <returns>Its id; 0 when the text has none.</returns>
    internal static uint ProcessOf(string status)
    {
        foreach (ReadOnlySpan<char> line in status.AsSpan().EnumerateLines())
        {
            if (line.StartsWith("Tgid:", StringComparison.Ordinal)
                && uint.TryParse(line[5..], NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture, out uint process))
            {
                return process;
            }
        }

        return 0;
    }
}

/// <summary>
/// Names of threads that tracing has saved (Documentation/trace/ftrace.rst, <c>saved_cmdlines</c>), also of those that have ended.
/// Reading them takes a millisecond or two, so they are cached.
/// </summary>
/// <param name="read">Reads the file; null when there is none.</param>
sealed class SavedNames(Func<string?> read)
{
    /// <summary>Least time between two readings, nanoseconds.</summary>
    public const long PauseNanos = 25_000_000;

    string _text = string.Empty;
    long _nextReadNanos;

    /// <summary>Finds a name.</summary>
    /// <param name="thread">The thread's id.</param>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    /// <returns>The name; null when it is not kept, or not read yet.</returns>
    public string? Find(int thread, long now)
    {
        if (now >= _nextReadNanos)
        {
            _text = read() ?? string.Empty;
            _nextReadNanos = now + PauseNanos;
        }

        foreach (ReadOnlySpan<char> line in _text.AsSpan().EnumerateLines())
        {
            int space = line.IndexOf(' ');
            if (space > 0 && int.TryParse(line[..space], NumberStyles.None, CultureInfo.InvariantCulture, out int id) && id == thread)
            {
                return line[(space + 1)..].ToString();
            }
        }

        return null;
    }
}
