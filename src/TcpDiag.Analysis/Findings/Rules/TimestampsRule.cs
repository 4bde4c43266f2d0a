using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The client offered timestamps and the answer lacks them (RFC 7323 §3).</summary>
static class TimestampsRule
{
    public static Finding? Judge(Connection connection)
    {
        bool isOffered = (connection.FromClient.SynOptions & TcpOptionKinds.Timestamps) > 0;
        if (!isOffered || connection.FromServer.SynOptions is not { } answered || (answered & TcpOptionKinds.Timestamps) != 0)
        {
            return null;
        }

        return new FindingDraft(FindingIds.TimestampsStripped, $"The client offered timestamps, and the server's answer has none.")
            .Sure(0.5)
            .Because($"The server has them switched off (older Windows does), or a middlebox removed them. Without them fewer needless retransmissions can be recognised and undone.")
            .Shown("options of SYN-ACK", $"{answered}")
            .Advise(
                "Windows server: Get-NetTCPSetting, Timestamps; netsh interface tcp set global timestamps=enabled.",
                "Network: compare SYN and SYN-ACK on both sides of firewalls.")
            .On(connection);
    }
}
