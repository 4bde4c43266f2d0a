using System.Collections.Generic;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Answers;

/// <summary>Where the time is lost.</summary>
public enum Side
{
    /// <summary>Nowhere.</summary>
    Nothing = 0,

    /// <summary>At the machine that recorded.</summary>
    ThisComputer = 1,

    /// <summary>On the way.</summary>
    Network = 2,

    /// <summary>At the machine at the other end.</summary>
    FarEnd = 3,

    /// <summary>One recording does not show which.</summary>
    Unclear = 4,
}

/// <summary>The answer to a customer.</summary>
/// <param name="Side">Where the time is lost.</param>
/// <param name="Cause">The finding that says so; null where nothing was found.</param>
public sealed record Diagnosis(Side Side, Finding? Cause)
{
    /// <summary>The check that shows why a transfer failed of which the recording does not show it; null where there is none, or a cause is known.</summary>
    public Check? Suspect { get; init; }

    /// <summary>Seconds lost to the cause, on all connections that have it; null when that is not known.</summary>
    public double? SecondsLost { get; init; }

    /// <summary>How long these connections lasted, seconds.</summary>
    public double SecondsOf { get; init; }

    /// <summary>Connections of the recording.</summary>
    public int Connections { get; init; }

    /// <summary>Bytes they carried, each once.</summary>
    public long Bytes { get; init; }

    /// <summary>What to do, in order; empty where nothing is to be changed.</summary>
    public IReadOnlyList<Remedy> Steps { get; init; } = [];

    /// <summary>What was ruled out, and by what.</summary>
    public IReadOnlyList<RuledOut> RuledOut { get; init; } = [];

    /// <summary>Other findings that cost time, with what they cost, seconds.</summary>
    public IReadOnlyList<Finding> Others { get; init; } = [];
}

/// <summary>A cause that it is not.</summary>
/// <param name="What">Name of the sentence that says so.</param>
/// <param name="Evidence">What shows it: figures.</param>
public sealed record RuledOut(string What, Message Evidence);
