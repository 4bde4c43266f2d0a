namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>After a pause the sender began again with a small window (RFC 5681 §4.1).</summary>
static class IdleRestartRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Direction is not { CwndRestarts: > 0 and { } restarts })
        {
            return null;
        }

        return Word(subject, restarts);
    }

    static Finding Word(DirectionSubject subject, long restarts) =>
        subject.Found(new FindingDraft(FindingIds.IdleRestart)
            .Worded(() => new FindingText($"After pauses the {subject.Sender} began anew with a small congestion window, {restarts} times.")
                .Because($"A window that was not used for longer than the retransmission timeout is taken back to its initial size; the next burst starts slowly.")
                .Shown("restarts of the congestion window told by the stack", $"{restarts}")
                .Advise(
                    $"Windows {subject.Sender}: the Datacenter templates restart after idle (CwndRestart in Get-NetTCPSetting), the Internet template does not.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_slow_start_after_idle=0.",
                    "Application: keep the pauses short, or keep the connection busy.")));
}
