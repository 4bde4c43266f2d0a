namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>How a tracepoint's number becomes a field of the vocabulary.</summary>
enum FieldRule
{
    /// <summary>As it is.</summary>
    AsIs,

    /// <summary>A TCP state, translated to the numbering of the vocabulary.</summary>
    TcpState,

    /// <summary>Told only when it is not 0, where 0 means that nothing is known or nothing went wrong.</summary>
    UnlessZero,

    /// <summary>A threshold, told only once it has been set: Linux starts with 2³¹−1.</summary>
    UnlessInfinite,
}
