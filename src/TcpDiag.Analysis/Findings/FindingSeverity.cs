namespace TcpDiag.Analysis.Findings;

/// <summary>How much a finding matters to who waits for the connection.</summary>
public enum FindingSeverity
{
    /// <summary>Worth knowing; costs nothing measurable.</summary>
    Note = 0,

    /// <summary>Costs some time.</summary>
    Warning = 1,

    /// <summary>Costs most of the time, or breaks the connection.</summary>
    Critical = 2,
}
