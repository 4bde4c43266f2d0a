using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The sender stood still until its retransmission timer expired.</summary>
static class TimeoutRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        long timeouts = subject.Direction.Triggers?.Rto ?? 0;
        long time = subject.TimeIn(LimitState.Timeout);
        if (timeouts == 0 || subject.ActiveTime == 0)
        {
            return null;
        }

        return Word(subject, timeouts, time);
    }

    static Finding Word(DirectionSubject subject, long timeouts, long time) =>
        subject.Found(new FindingDraft(FindingIds.RtoStalls)
            .Costs(time)
            .Worded(() => new FindingText(time > 0
                    ? $"The {subject.Sender} stood still for {Quantity.Duration(time)} until its retransmission timer expired."
                    : $"The {subject.Sender}'s retransmission timer sent {Quantity.Count(timeouts, "segment")} again.")
                .Because($"Nothing told the {subject.Sender} that data was lost: the last packets of a burst, a whole window or a retransmission itself were lost, or the path was dead for a while. Then only the timer helps (300 ms or more on Windows, 200 ms on Linux, doubling).")
                .Shown("time waiting for the timer", subject.OfActive(time), subject.LimitSamples, subject.Patterns.Timeout, subject.Patterns.LastRetransmission)
                .Shown("segments resent by the timer", $"{timeouts} of {subject.Direction.Retransmissions}")
                .Advise(
                    "Network: find out why so much is lost at once: a link that flaps, a firewall that drops the state, Wi-Fi roaming, a policer.",
                    $"Windows {subject.Sender}: TLP and RACK (from 1607 on, complete from 2004 on) turn most of these into fast repairs: check the template with Get-NetTCPSetting.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_early_retrans=3 (TLP) and net.ipv4.tcp_recovery=1 are the defaults.")));
}
