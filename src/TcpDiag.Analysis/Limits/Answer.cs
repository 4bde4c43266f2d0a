namespace TcpDiag.Analysis.Limits;

/// <summary>How a burst of data stands to the acknowledgment before it.</summary>
enum Answer : byte
{
    /// <summary>It came by itself, or answers data of the peer.</summary>
    None,

    /// <summary>Later than that, but within an RTO: a longer pause is one for TCP itself (RFC 5681 §4.1).</summary>
    Belated,

    /// <summary>Not at once, but sooner than chance would have it every time: a writer that has to be woken first, on a machine that has other things to do.</summary>
    Late,

    /// <summary>Right behind it.</summary>
    Prompt,

    /// <summary>So soon behind it that it comes by chance once in sixteen times at most.</summary>
    Immediate,
}
