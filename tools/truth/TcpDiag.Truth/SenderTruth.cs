using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>
/// What held a sender back at any instant, by everything but the rules under test. The kernel's clocks alone cannot tell it: they count whatever is in flight
/// as busy, and miss a send buffer that one write fills (measures: tcp_info is blind in places). So, in this order: silence before something that was sent
/// again by a timer, by the kernel's congestion state, is a timeout, but for a probe while the clock of the receive window runs; its states from CWR on are
/// recovery; with all that was written sent and the program in no call it is the application; with the program in a call and nothing unsent in the socket
/// (tcpi_notsent_bytes; where something was sent or heard since the nearest sample, no window full by tcp_probe either, or both a third empty, which a stack
/// would fill) the send buffer, where the experiment bounds it, and else a window that is full all the same, as the buffer grows with it, or the program
/// itself, which copies or is not scheduled; else a window. Of the last, rwnd_limited is the receive window's. What follows the last new data belongs to what
/// held back that.
/// </summary>
/// <param name="recorder">What the sender sent, and what it heard.</param>
/// <param name="writes">Its program's log.</param>
/// <param name="kernel">Its kernel.</param>
/// <param name="mss">Payload of a full segment, bytes.</param>
sealed class SenderTruth(SegmentRecorder recorder, WriteLog writes, KernelStates kernel, int mss)
{
    const long Step = 100_000; // ns
    const long BurstGap = 1_000_000; // ns
    const double NanosecondsPerSecond = 1e9;

    readonly SentSegment[] _new = [.. recorder.Segments.Where(segment => segment is { Kind: SentKind.New, Payload: > 0 })];
    readonly List<(TraceTime From, TraceTime To)> _silences = [.. Timers(recorder, kernel).Select(timer => (timer.Since, timer.Expiry))];
    readonly List<(TraceTime From, TraceTime To)> _probes = [.. Timers(recorder, kernel).Select(timer => (timer.Expiry, timer.Reply))];

    enum State
    {
        Application,
        SendBuffer,
        Window,
        Recovery,
        Timeout,
    }

    /// <summary>Sums up.</summary>
    /// <param name="activeTime">From the first data on, nanoseconds.</param>
    /// <param name="receiveWindowSeconds">rwnd_limited.</param>
    /// <returns>The shares.</returns>
    public LimitShares Shares(long activeTime, double receiveWindowSeconds)
    {
        TraceTime begin = _new[0].Time;
        TraceTime held = HeldBefore();
        double[] parts = new double[Enum.GetValues<State>().Length];
        double repairedWindow = 0;
        double either = 0;
        long steps = Math.Max(activeTime / Step, 1);
        for (long i = 0; i < steps; i++)
        {
            TraceTime time = begin + (i * Step);
            State state = StateAt(time, held);
            parts[(int)state] += 1.0 / steps;
            either += state == State.Window && kernel.AreBothFull(time, SentBetween, mss) ? 1.0 / steps : 0;
            repairedWindow += state >= State.Recovery ? kernel.WindowShare(time) / steps : 0; // the clock of the receive window runs on in a recovery
        }

        double window = Math.Clamp((receiveWindowSeconds * NanosecondsPerSecond / Math.Max(activeTime, 1)) - repairedWindow, 0, 1);
        return new(
            parts[(int)State.Application],
            parts[(int)State.SendBuffer],
            Math.Max(parts[(int)State.Window] - window, 0),
            window,
            parts[(int)State.Recovery],
            parts[(int)State.Timeout])
        {
            EitherWindow = either,
        };
    }

    static bool IsWithin(List<(TraceTime From, TraceTime To)> spans, TraceTime time) => spans.Exists(span => span.From <= time && time < span.To);

    // What was sent again outside of recovery was sent by a timer: in silence, but for what an acknowledgment released in the state of loss, at once. A probe
    // that is answered while the receive window is full changed nothing; one that is not is the beginning of the silence that the retransmission timer ends.
    static IEnumerable<(TraceTime Since, TraceTime Expiry, TraceTime Reply)> Timers(SegmentRecorder recorder, KernelStates kernel)
    {
        IReadOnlyList<SentSegment> replies = recorder.Replies;
        IReadOnlyList<SentSegment> sent = recorder.Segments;
        for (int i = 1; i < sent.Count; i++)
        {
            TraceTime now = sent[i].Time;
            if (sent[i].Kind == SentKind.Retransmission && kernel.CauseAt(now) != 0)
            {
                TraceTime before = sent[i - 1].Time;
                TraceTime heard = replies.LastOrDefault(reply => reply.Time <= now)?.Time ?? before;
                TraceTime since = heard > before ? heard : before;
                TraceTime reply = replies.FirstOrDefault(reply => reply.Time > now)?.Time ?? now;
                bool isSilent = kernel.CauseAt(now) == KernelStates.ByTimer || (i + 1 < sent.Count && sent[i + 1].Time < reply
                    && kernel.CauseAt(sent[i + 1].Time) == KernelStates.ByTimer);
                if (isSilent || !kernel.IsWindowFull(since, now))
                {
                    yield return (since, now, reply);
                }
            }
        }
    }

    // In the middle of the wait for the last burst of new data: right before it, what was written may be on its way to the capture point.
    TraceTime HeldBefore()
    {
        int first = _new.Length - 1;
        while (first > 0 && _new[first].Time - _new[first - 1].Time < BurstGap)
        {
            first--;
        }

        TraceTime before = first == 0 ? _new[0].Time : _new[first - 1].Time;
        return before + ((_new[first].Time - before) / 2);
    }

    State StateAt(TraceTime time, TraceTime held) =>
        IsWithin(_silences, time) ? State.Timeout
        : kernel.IsRepairing(time) || IsWithin(_probes, time) ? State.Recovery
        : WithoutRepair(time >= _new[^1].Time ? held : time);

    State WithoutRepair(TraceTime time)
    {
        int last = Array.FindLastIndex(_new, segment => segment.Time <= time);
        long sent = last < 0 ? 0 : _new[last].End - _new[0].Start;
        long unsent = writes.BytesBy(time) - sent;
        if (unsent > 0)
        {
            bool isNagle = unsent < mss && last >= 0 && _new[last].Payload < mss; // a small segment waits for the one before (Minshall's variant)
            return isNagle ? State.Application : State.Window;
        }

        return !writes.IsInCall(time) ? State.Application
            : HasUnsent(time) ? State.Window
            : writes.IsBufferSet ? State.SendBuffer
            : kernel.IsHeld(time, SentBetween, mss) ? State.Window
            : State.Application;
    }

    bool HasUnsent(TraceTime time)
    {
        (bool IsUnsent, bool IsCertain)? sample = kernel.HasUnsent(time, IsQuiet);
        return sample is { IsCertain: true } ? sample.Value.IsUnsent
            : kernel.IsHeld(time, SentBetween, mss)
                || ((writes.IsPaced || !kernel.IsFree(time, SentBetween, mss)) && (sample?.IsUnsent ?? !writes.IsBufferSet));
    }

    bool IsQuiet(TraceTime from, TraceTime to) =>
        !recorder.Segments.Any(segment => from < segment.Time && segment.Time <= to)
            && !recorder.Replies.Any(segment => from < segment.Time && segment.Time <= to);

    long SentBetween(TraceTime from, TraceTime to) => _new.Where(segment => from < segment.Time && segment.Time <= to).Sum(segment => (long)segment.Payload);
}
