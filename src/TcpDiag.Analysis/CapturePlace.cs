namespace TcpDiag.Analysis;

/// <summary>Where a capture was taken, seen from one direction of a connection.</summary>
enum CapturePlace
{
    /// <summary>Not known.</summary>
    Unknown = 0,

    /// <summary>At the sender of its data.</summary>
    Sender = 1,

    /// <summary>At the receiver.</summary>
    Receiver = 2,

    /// <summary>In between.</summary>
    Middle = 3,
}
