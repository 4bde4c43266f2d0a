using System;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The receiver's window was zero: its application did not read.</summary>
static class ZeroWindowRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        if (subject.Patterns is not { ZeroWindow: { } first, ZeroWindowTime: > 0 and { } closed } || subject.ActiveTime == 0)
        {
            return null;
        }

        return Word(subject, first, closed);
    }

    static Finding Word(DirectionSubject subject, Mark first, long closed)
    {
        // Nobody waits for a window that is closed while there is nothing to send, and what the sender waited for otherwise is told as that.
        long waited = Math.Min(subject.Patterns.ZeroWindowWait, subject.Direction.Limits is null ? subject.ActiveTime : subject.TimeIn(LimitState.ReceiveWindow));
        string wait = waited == 0 ? ", while nothing waited to be sent" : string.Empty;

        return subject.Found(new FindingDraft(FindingIds.ZeroWindow)
            .Costs(waited)
            .Sure(0.95)
            .Worded(() => new FindingText($"The application on the {subject.Receiver} did not read: its window was zero for {Quantity.Duration(closed)}{wait}.")
                .Because($"A window of zero says that the receive buffer is full. The network delivered; the program on the {subject.Receiver} (or what it waits for: disk, database, lock, garbage collection) is too slow.")
                .Shown("time with a window of zero", $"{Quantity.Duration(closed)}", subject.Direction.ZeroWindows, first, subject.Patterns.WindowOpened ?? new(first.Packet, subject.Connection.Last))
                .Shown("of these, with data that waited", subject.OfActive(waited))
                .Shown("probes of the closed window", $"{subject.Direction.ZeroWindowProbes}")
                .Advise(
                    $"Application on the {subject.Receiver}: find out what it does at that moment (CPU, disk, locks); read in a thread of its own, or with a larger buffer.",
                    $"Windows {subject.Receiver}: Windows Performance Recorder with CPU and disk shows what the process waits for.",
                    $"Linux {subject.Receiver}: ss -tnm shows the receive queue; perf trace -p PID shows the pauses between reads.")));
    }
}
