using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Each needless retransmission is answered by a duplicate acknowledgment, and that by the next retransmission, until one end resets (story S2).</summary>
static class PingPongRule
{
    const int LeastRounds = 4;

    public static Finding? Judge(in DirectionSubject subject)
    {
        DirectionPatterns patterns = subject.Patterns;
        if (patterns is not { LongestPingPong: >= LeastRounds, PingPong: { } first, LastRetransmission: { } last })
        {
            return null;
        }

        return Word(subject, patterns, first, last);
    }

    static Finding Word(DirectionSubject subject, DirectionPatterns patterns, Mark first, Mark last)
    {
        bool isDeadly = patterns.FinalPingPong >= LeastRounds && subject.Connection.End == ConnectionEnd.Rst;
        string end = isDeadly ? ", until the connection was reset" : string.Empty;
        return subject.Found(new FindingDraft(FindingIds.SpuriousDupackPingpong)
            .Costs(last.Time > first.Time ? last.Time - first.Time : 0)
            .AtLeast(isDeadly ? FindingSeverity.Critical : FindingSeverity.Warning)
            .Worded(() => new FindingText($"The {subject.Sender} resent the same data and the {subject.Receiver} answered that it had it, {patterns.LongestPingPong} times in a row{end}.")
                .Because($"The {subject.Sender} does not accept the acknowledgments: a middlebox rewrites sequence or SACK numbers, or the stack rejects what it should believe.")
                .Shown("retransmissions in a row, each answered by a duplicate acknowledgment", $"{patterns.LongestPingPong}", null, first, last)
                .Advise(
                    "Network: capture on the other side of firewalls, VPNs and proxies; compare sequence and SACK numbers.",
                    "Windows: seen with 21H2 (build 22000); update to the 22621 line or later.",
                    "To test: switch SACK off on one end; if it stops, SACK numbers are being rewritten.")));
    }
}
