using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Filtering;

/// <summary>
/// Which connections belong to the wanted processes, as the events of the stack tell while they pass. The process under
/// which a packet was logged is often another one, so it counts only for connections of which no event has told.
/// </summary>
/// <param name="wanted">Process ids, or beginnings of process names.</param>
sealed class ProcessBook(IReadOnlyList<string> wanted)
{
    // A bound for hostile traces: connections and processes kept.
    const int MostEntries = 1 << 20;

    readonly Dictionary<FlowKey, uint> _owners = [];
    readonly Dictionary<uint, string> _names = [];

    /// <summary>Learns from an event.</summary>
    /// <param name="told">The event.</param>
    public void Learn(StackEvent told)
    {
        if (told.ProcessId is not { } process)
        {
            return;
        }

        if (told.Kind == StackEventKind.ProcessNamed && told.Text is { } name && _names.Count < MostEntries)
        {
            _names[process] = name;
        }

        if (told is { Local: { } local, Remote: { } remote } && _owners.Count < MostEntries)
        {
            _owners[FlowKey.Of(local, remote, out _)] = process;
        }
    }

    /// <summary>Whether a connection belongs to a wanted process.</summary>
    /// <param name="flow">The connection.</param>
    /// <param name="loggedUnder">Process under which the packet was logged.</param>
    /// <returns>True when it does.</returns>
    public bool IsWanted(FlowKey flow, uint loggedUnder) => IsWanted(_owners.GetValueOrDefault(flow, loggedUnder));

    /// <summary>Whether a process is wanted.</summary>
    /// <param name="process">Process id.</param>
    /// <returns>True when its id or name is.</returns>
    public bool IsWanted(uint process)
    {
        string? name = _names.GetValueOrDefault(process);
        foreach (string candidate in wanted)
        {
            bool isId = uint.TryParse(candidate, NumberStyles.None, CultureInfo.InvariantCulture, out uint id) && id == process;
            if (isId || (name is not null && name.StartsWith(candidate, StringComparison.OrdinalIgnoreCase)))
            {
                return true;
            }
        }

        return false;
    }
}
