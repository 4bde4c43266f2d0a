namespace TcpDiag.Capture;

/// <summary>Why a recording ended.</summary>
public enum StopReason
{
    /// <summary>Its time was up.</summary>
    Duration,

    /// <summary>The file had reached its size.</summary>
    Size,

    /// <summary>It was told to.</summary>
    Stopped,

    /// <summary>The disk was nearly full.</summary>
    Disk,

    /// <summary>A condition that was waited for came true.</summary>
    Trigger,

    /// <summary>Somebody else ended its session.</summary>
    Ended,
}
