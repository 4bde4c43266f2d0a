namespace TcpDiag.Analysis.Names;

/// <summary>Time a connection waited for a name before its SYN.</summary>
/// <param name="Time">From the first query to the SYN, nanoseconds.</param>
/// <param name="Name">The name, as it stands in the query.</param>
/// <param name="Service">UDP port of the service: 53 DNS, 137 NetBIOS, 5353 mDNS, 5355 LLMNR.</param>
/// <param name="Queries">Queries sent.</param>
/// <param name="IsAnswered">Whether an answer came.</param>
/// <param name="IsAboutServer">Whether the query was sent to the server, or its answer holds the server's address.</param>
/// <param name="FirstPacket">Number of the first query's packet, from 1.</param>
public sealed record LookupDelay(long Time, string Name, int Service, int Queries, bool IsAnswered, bool IsAboutServer, long FirstPacket);
