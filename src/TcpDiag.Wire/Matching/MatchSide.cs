namespace TcpDiag.Wire.Matching;

/// <summary>Which end of a packet a host or port test looks at.</summary>
public enum MatchSide
{
    /// <summary>Either end.</summary>
    Either = 0,

    /// <summary><c>src</c>: where the packet comes from.</summary>
    Source = 1,

    /// <summary><c>dst</c>: where the packet goes.</summary>
    Destination = 2,
}
