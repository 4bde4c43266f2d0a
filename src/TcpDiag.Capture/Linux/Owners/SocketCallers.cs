using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>
/// Learns whose a connection is from the system calls that open and close it, which the kernel's events tell: also of connections too short to be
/// listed. A connection is opened before it has a port of its own, so that the socket stands for it until then.
/// </summary>
/// <param name="table">Takes what is learnt.</param>
/// <param name="names">Names of threads that have ended before they were looked at.</param>
/// <param name="readsThreads">Whether threads of events can be looked up here (<see cref="ReadsThreads"/>).</param>
sealed class SocketCallers(OwnerTable table, SavedNames names, bool readsThreads)
{
    const int MaxOpening = 1 << 16;

    // PROC_PID_INIT_INO, linux/proc_ns.h
    const string FirstNamespace = "pid:[4026531836]";

    readonly Dictionary<ulong, SocketOwner> _opening = [];

    /// <summary>Whether this process counts processes as the kernel's events do; in a namespace of its own, a container, it would look at somebody else.</summary>
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
            owner = new(process, SocketOwners.NameOf(FormattableString.Invariant($"/proc/{process}")));
            return true;
        }
        catch (IOException)
        {
            // It has ended since. What lives so shortly has one thread, as a rule, which has the number and the name of its process.
            string? name = names.Find(thread, Libc.Now(Libc.ClockMonotonic));
            owner = new((uint)thread, name ?? string.Empty);
            return name is not null;
        }
    }

    /// <summary>The process of a thread.</summary>
    /// <param name="status">Text of its <c>/proc/TID/status</c> (proc_pid_status(5)).</param>
    /// <returns>Its id; 0 when the text does not tell.</returns>
    internal static uint ProcessOf(string status)
    {
        foreach (ReadOnlySpan<char> line in status.AsSpan().EnumerateLines())
        {
            if (line.StartsWith("Tgid:", StringComparison.Ordinal) && uint.TryParse(line[5..], NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture, out uint process))
            {
                return process;
            }
        }

        return 0;
    }
}
