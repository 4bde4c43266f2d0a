namespace TcpDiag.Report.Json;

/// <summary>How a connection was opened.</summary>
/// <param name="Complete">Whether SYN, SYN-ACK and its acknowledgment were seen.</param>
/// <param name="SynRetransmissions">SYNs and SYN-ACKs sent again.</param>
/// <param name="RttMicroseconds">From the SYN to the acknowledgment of the SYN-ACK.</param>
/// <param name="NameLookupMicroseconds">Time spent looking the name up before the SYN.</param>
public sealed record HandshakeEntry(
    bool Complete,
    int? SynRetransmissions,
    double? RttMicroseconds,
    double? NameLookupMicroseconds);
