using TcpDiag.Analysis.Names;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The client waited for a name before it sent its SYN (story S3).</summary>
static class NameLookupRule
{
    const long LeastTime = 100_000_000; // ns

    public static Finding? Judge(Connection connection)
    {
        if (connection.Lookup is not { Time: >= LeastTime } lookup)
        {
            return null;
        }

        return Word(connection, lookup);
    }

    static Finding Word(Connection connection, LookupDelay lookup)
    {
        string answer = lookup.Missing is { } missing ? $"{missing} never answered" : lookup.IsAnswered ? "slow to answer" : "never answered";
        return new FindingDraft(FindingIds.NameLookupDelay)
            .Costs(lookup.Time)
            .Sure(lookup.IsAboutServer ? 0.9 : 0.65)
            .Worded(() => Text(connection, lookup, answer))
            .On(connection);
    }

    static FindingText Text(Connection connection, LookupDelay lookup, string answer)
    {
        TraceTime end = connection.Start + -lookup.AfterTime;
        return new FindingText($"The client waited {Quantity.Duration(lookup.Time)} for a name ({Service(lookup.Service)}, {answer}) before it connected.")
            .Because(Cause(lookup))
            .Shown("from the first query on", $"{Quantity.Duration(lookup.Time)}", lookup.Queries, new(lookup.FirstPacket, end + -lookup.Time), new(lookup.FirstPacket, end))
            .Shown("name asked for", $"{lookup.Name}")
            .Advise(
                "Application: do not look up addresses that are numbers already (reverse lookups for logs are the usual reason).",
                "Windows client: a NetBIOS, LLMNR or mDNS query after DNS means that DNS does not know the name: add it there, or turn NetBIOS over TCP/IP off on the adapter.",
                "Network: name servers listed on the client must answer; remove those that are gone.");
    }

    static string Cause(LookupDelay lookup) => lookup switch
    {
        { Missing: { } missing } => $"The address had come; the client's resolver waited in vain for the records of another type it had asked for ({missing}). A name server or firewall drops such queries instead of answering that there are none.",
        { Service: 0 } => $"The program asked the machine's resolver for the name and got no result before that; what the resolver asked on the network, the packets before the connection show. The connection itself had not begun.",
        { IsAnswered: true } => $"The name server took that long. The connection itself had not begun.",
        _ => $"Nobody answers for this name, and the client's resolver waits for its time limit, even where the program was given an address as a number.",
    };

    static string Service(int port) => port switch
    {
        53 => "DNS",
        137 => "NetBIOS",
        5353 => "mDNS",
        5355 => "LLMNR",
        _ => "the machine's resolver",
    };
}
