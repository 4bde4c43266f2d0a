using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>One TCP connection.</summary>
/// <param name="Index">Position in the document, from 0.</param>
/// <param name="Client">Who sent the SYN; without a SYN the end with the higher port.</param>
/// <param name="Server">The other end.</param>
/// <param name="Process">The process at the capturing machine's end.</param>
/// <param name="ServerName">A name by which the server's address was looked up in the trace.</param>
/// <param name="StartSeconds">First packet or event, from the start of the trace.</param>
/// <param name="DurationSeconds">From the first packet or event to the last.</param>
/// <param name="Handshake">How it was opened.</param>
/// <param name="End">How it ended: fin, rst, timeout or open.</param>
/// <param name="Vantage">Where the capture was taken: client, server, middle or unknown.</param>
/// <param name="Evidence">What the account rests on: packets, events or both.</param>
/// <param name="Directions">What each end sent, and what came back for it: the client's first.</param>
/// <param name="Findings">Ids of the findings about this connection.</param>
public sealed record ConnectionEntry(
    int Index,
    EndpointEntry Client,
    EndpointEntry Server,
    ProcessEntry? Process,
    string? ServerName,
    double StartSeconds,
    double DurationSeconds,
    HandshakeEntry Handshake,
    string End,
    string Vantage,
    string Evidence,
    IReadOnlyList<DirectionEntry> Directions,
    IReadOnlyList<string> Findings);
