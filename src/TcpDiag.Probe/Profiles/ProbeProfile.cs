using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;

namespace TcpDiag.Probe.Profiles;

/// <summary>The script of a probe: what happens to each segment, and what is read from how the sender answers.</summary>
public abstract class ProbeProfile
{
    /// <summary>What it is called on the command line.</summary>
    public abstract string Name { get; }

    /// <summary>Whether nothing is left to do.</summary>
    public abstract bool IsDone { get; }

    /// <summary>Whether duplicates are reported now (RFC 2883).</summary>
    public virtual bool ReportsDuplicates => true;

    /// <summary>Whether the right edge of the window stands still now: the sender comes to the end of what it may send.</summary>
    public virtual bool HoldsWindow => false;

    /// <summary>The receive window in segments, counted from the highest that arrived.</summary>
    public virtual int WindowSegments(ProbeSettings settings) => settings.FlightSegments;

    /// <summary>The distance of segments in the pretended network, ns.</summary>
    public virtual long SpacingNanos(ProbeSettings settings) => settings.SpacingNanos;

    /// <summary>A segment came for the first time.</summary>
    /// <returns>What happens to it.</returns>
    public abstract Fate OnNew(in Arrival arrival, ReceiverView view);

    /// <summary>A segment came again.</summary>
    /// <returns>What happens to it.</returns>
    public abstract Fate OnResent(in Arrival arrival, ReceiverView view);

    /// <summary>An acknowledgment is sent.</summary>
    public abstract void OnAcknowledged(in Acknowledgment ack, ReceiverView view);

    /// <summary>The readings in a sentence or two.</summary>
    /// <param name="view">The connection.</param>
    /// <param name="end">Why nothing more is read.</param>
    public abstract string Summarise(ReceiverView view, string end);

    /// <summary>What was read so far.</summary>
    /// <param name="view">The connection.</param>
    /// <param name="end">Why nothing more is read.</param>
    public abstract IReadOnlyList<ProbeReading> Read(ReceiverView view, string end);
}

/// <summary>The scripts there are.</summary>
public static class ProbeProfiles
{
    static readonly (string Name, Func<ProbeProfile> Create)[] Known =
    [
        ("staircase", () => new StaircaseProfile()),
        ("tlp", () => new TailProfile()),
        ("lost-retransmission", () => new LostRetransmissionProfile()),
        ("prr", () => new PrrProfile()),
        ("slow-start", () => new SlowStartProfile()),
    ];

    /// <summary>Their names, the usual one first.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Known.Select(profile => profile.Name)];

    /// <summary>A script, to be used for one connection.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <exception cref="ArgumentException">There is none of that name.</exception>
    public static ProbeProfile Create(string name) => Array.Find(Known, profile => string.Equals(profile.Name, name, StringComparison.Ordinal)).Create?.Invoke()
        ?? throw new ArgumentException($"There is no profile {name}.", nameof(name));
}
