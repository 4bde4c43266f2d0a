using System.Collections.Generic;
using TcpDiag.Scores.Comparisons;

namespace TcpDiag.Store.Fleets;

/// <summary>What a store says about a fleet of machines.</summary>
/// <param name="Week">The latest week with recordings, its Monday; null where there is none.</param>
/// <param name="Since">The first week that was looked at.</param>
/// <param name="Machines">Machines with recordings in that time.</param>
/// <param name="Transfers">Transfers that were compared.</param>
/// <param name="Unknown">Recordings left out because nothing tells of which machine, or when, they are.</param>
public sealed record FleetReport(string? Week, string? Since, int Machines, long Transfers, long Unknown)
{
    /// <summary>What the groups are: build, platform, nic, site.</summary>
    public required string By { get; init; }

    /// <summary>What was asked, and what follows, differences first.</summary>
    public IReadOnlyList<FleetChange> Changes { get; init; } = [];

    /// <summary>Findings of the latest week, the most time of the fleet first.</summary>
    public IReadOnlyList<FleetFinding> Findings { get; init; } = [];

    /// <summary>Machines of the latest week that lost time, the most first.</summary>
    public IReadOnlyList<FleetMachine> Attention { get; init; } = [];
}

/// <summary>What is compared.</summary>
public enum FleetMetric
{
    /// <summary>Goodput of transfers, machine by machine; more is better.</summary>
    Goodput,

    /// <summary>Time lost to findings in each hour of transfers, machine by machine; less is better.</summary>
    TimeLost,
}

/// <summary>With what a group is compared.</summary>
public enum FleetBaseline
{
    /// <summary>With itself, the same machines in the week before.</summary>
    WeekBefore,

    /// <summary>With all other groups, over all weeks; on one class of paths each machine counts beside its own other classes.</summary>
    Others,
}

/// <summary>One question about a group, and its answer.</summary>
/// <param name="Group">The group.</param>
/// <param name="Metric">What is compared.</param>
/// <param name="Baseline">With what.</param>
/// <param name="Path">On which paths; null for all classes, each compared with itself.</param>
/// <param name="Machines">Machines of the group.</param>
/// <param name="Judgement">What follows: the ratio of the group to what it is compared with.</param>
public sealed record FleetChange(string Group, FleetMetric Metric, FleetBaseline Baseline, PathClass? Path, int Machines, Judgement Judgement);

/// <summary>A finding in the latest week.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Machines">Machines that have it.</param>
/// <param name="Prevalence">Their share of the machines of that week, 0 … 1.</param>
/// <param name="LostNanos">Time lost by all of them, nanoseconds.</param>
/// <param name="LostBeforeNanos">The same in the week before; null where there was none.</param>
/// <param name="IsNew">Whether no machine had it in the weeks before.</param>
public sealed record FleetFinding(string Id, int Machines, double Prevalence, long LostNanos, long? LostBeforeNanos, bool IsNew);

/// <summary>A machine in the latest week.</summary>
/// <param name="Machine">Its name in the store.</param>
/// <param name="LostNanos">Time it lost, nanoseconds.</param>
/// <param name="Worst">The finding that cost it most.</param>
public sealed record FleetMachine(string Machine, long LostNanos, string Worst);
