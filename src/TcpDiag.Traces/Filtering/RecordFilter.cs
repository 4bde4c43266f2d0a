using System.Collections.Generic;

namespace TcpDiag.Traces.Filtering;

/// <summary>
/// Which records of a trace are wanted; shared by all commands. Conditions of different kinds must all hold, of one kind
/// one is enough. <see cref="RecordMatcher"/> applies it.
/// </summary>
public sealed record RecordFilter
{
    /// <summary>Source or destination address.</summary>
    public IReadOnlyList<AddressRange> Hosts { get; init; } = [];

    /// <summary>Source or destination port.</summary>
    public IReadOnlyList<int> Ports { get; init; } = [];

    /// <summary>Process id, or the beginning of a process name.</summary>
    public IReadOnlyList<string> Processes { get; init; } = [];

    /// <summary>Number of an interface, or a part of its name or description.</summary>
    public IReadOnlyList<string> Interfaces { get; init; } = [];

    /// <summary>Whether reports of drops pass.</summary>
    public DropChoice Drops { get; init; }

    /// <summary>Whether only one sight of each packet passes.</summary>
    public bool EachPacketOnce { get; init; }

    /// <summary>Earliest time, or null.</summary>
    public TimeBound? From { get; init; }

    /// <summary>Latest time, or null.</summary>
    public TimeBound? To { get; init; }

    /// <summary>Whether a packet's headers are needed to decide.</summary>
    public bool NeedsHeaders => Hosts.Count > 0 || Ports.Count > 0 || Processes.Count > 0;
}
