namespace TcpDiag.Analysis.Names;

/// <summary>Time a connection waited for a name before its SYN.</summary>
/// <param name="Time">From the first query to the SYN, or to the answer where the SYN came long after it, nanoseconds.</param>
/// <param name="Name">The name, as it stands in the query.</param>
/// <param name="Service">UDP port of the service: 53 DNS, 137 NetBIOS, 5353 mDNS, 5355 LLMNR; 0 where the machine's own events tell of the lookup and not how it was done.</param>
/// <param name="Queries">Queries sent.</param>
/// <param name="IsAnswered">Whether an answer came.</param>
/// <param name="IsAboutServer">Whether the query was sent to the server, or an answer holds its address.</param>
/// <param name="FirstPacket">Number of the first query's packet, or of the event, from 1.</param>
public sealed record LookupDelay(long Time, string Name, int Service, int Queries, bool IsAnswered, bool IsAboutServer, long FirstPacket)
{
    /// <summary>From the end of the wait to the SYN, nanoseconds; 0 when the client connected at once.</summary>
    public long AfterTime { get; init; }

    /// <summary>Record types of the name that were asked for and not answered though the server's address had come; null without any.</summary>
    public string? Missing { get; init; }
}
