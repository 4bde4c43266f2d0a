using TcpDiag.Analysis.Results;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>A connection of a recording.</summary>
/// <param name="Head">The recording.</param>
/// <param name="Connection">The connection.</param>
/// <param name="Names">How what names somebody is written.</param>
sealed record ConnectionSubject(RowHead Head, Connection Connection, PersonalNames Names)
{
    /// <summary>The round trip over the whole path; null where nothing shows it.</summary>
    public RttSummary? Rtt => RoundTrip.Of(Connection) is { Samples: > 0 } rtt ? rtt : null;
}

/// <summary>The table of connections: what the analysis document says of a connection as a whole.</summary>
static class ConnectionTable
{
    public static TableMap<ConnectionSubject> Map { get; } = new TableMap<ConnectionSubject>("connection", "a TCP connection of a recording", row => row.Head)
        .Key("connection", row => row.Connection.Index, "as analyze numbers it")
        .Personal("client_address", row => row.Names.Of(row.Connection.Client.Address), "who sent the SYN")
        .Number("client_port", row => row.Connection.Client.Port, "its port")
        .Personal("server_address", row => row.Names.Of(row.Connection.Server.Address), "the other end")
        .Number("server_port", row => row.Connection.Server.Port, "its port")
        .Number("process_id", row => row.Connection.ProcessId, "process at the recorded machine")
        .Personal("process", row => row.Names.OfProgram(row.Connection.ProcessName), "its program")
        .Personal("server_name", row => row.Names.OfHost(row.Connection.ServerName), "name by which the server was looked up")
        .Number("begin_ns", row => row.Connection.Start.Nanoseconds, "first packet or event, since 1970-01-01 UTC")
        .Number("duration_ns", row => row.Connection.Last - row.Connection.Start, "to the last one")
        .Flag("handshake_complete", row => row.Connection.IsHandshakeComplete, "SYN, SYN-ACK and its acknowledgment were seen")
        .Number("syn_retransmissions", row => row.Connection.SynRetransmissions, "SYNs and SYN-ACKs sent again")
        .Number("handshake_rtt_ns", row => row.Connection.HandshakeRtt, "SYN to the acknowledgment of the SYN-ACK")
        .Number("syn_ack_ns", row => row.Connection.SynAckDelay, "SYN to SYN-ACK at the capture point")
        .Number("name_lookup_ns", row => row.Connection.Lookup?.Time, "name lookup that the SYN waited for")
        .Number("round_trip_min_ns", row => row.Rtt?.Min, "round trip over the whole path, smallest")
        .Number("round_trip_median_ns", row => row.Rtt?.Median, "median")
        .Number("round_trip_p95_ns", row => row.Rtt?.P95, "95th percentile")
        .Number("round_trip_samples", row => RoundTrip.Of(row.Connection).Samples, "samples")
        .Word("end", row => Rows.Names.Of(row.Connection.End), "open, fin, rst, timeout")
        .Word("vantage", row => Rows.Names.Of(row.Connection.Vantage), "where it was captured: client, server, middle, unknown")
        .Word("evidence", row => Rows.Names.OfEvidence(row.Connection.Evidence) ?? "unknown", "packets, events, both, unknown");
}
