using TcpDiag.Analysis.Names;

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
        string answer = lookup.IsAnswered ? "slow to answer" : "never answered";
        return new FindingDraft(FindingIds.NameLookupDelay)
            .Costs(lookup.Time)
            .Sure(lookup.IsAboutServer ? 0.9 : 0.65)
            .Worded(() => new FindingText($"The client waited {Quantity.Duration(lookup.Time)} for a name ({Service(lookup.Service)}, {answer}) before it connected.")
                .Because(lookup.IsAnswered
                    ? (System.FormattableString)$"The name server took that long. The connection itself had not begun."
                    : $"Nobody answers for this name, and the client's resolver waits for its time limit, even where the program was given an address as a number.")
                .Shown("from the first query to the SYN", $"{Quantity.Duration(lookup.Time)}", lookup.Queries, new(lookup.FirstPacket, new(connection.Start.Nanoseconds - lookup.Time)), new(lookup.FirstPacket, connection.Start))
                .Shown("name asked for", $"{lookup.Name}")
                .Advise(
                    "Application: do not look up addresses that are numbers already (reverse lookups for logs are the usual reason).",
                    "Windows: a NetBIOS, LLMNR or mDNS query after DNS means that DNS does not know the name: add it there, or turn NetBIOS over TCP/IP off on the adapter.",
                    "Network: name servers listed on the client must answer; remove those that are gone."))
            .On(connection);
    }

    static string Service(int port) => port switch
    {
        53 => "DNS",
        137 => "NetBIOS",
        5353 => "mDNS",
        _ => "LLMNR",
    };
}
