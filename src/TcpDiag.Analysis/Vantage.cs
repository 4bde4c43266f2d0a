namespace TcpDiag.Analysis;

/// <summary>Where the capture was taken, seen from one connection.</summary>
public enum Vantage
{
    /// <summary>The trace does not tell.</summary>
    Unknown = 0,

    /// <summary>At the client: what it sends is acknowledged a whole RTT later.</summary>
    Client = 1,

    /// <summary>At the server.</summary>
    Server = 2,

    /// <summary>Between both ends: part of the RTT lies on either side.</summary>
    Middle = 3,
}
