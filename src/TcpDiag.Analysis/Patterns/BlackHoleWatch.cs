using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Watches whether the first segment that is missing is lost each time it is sent in full size, beside smaller ones that arrive: a path that drops large
/// packets without a word, a black hole of path MTU discovery (RFC 2923 §2.1). A sender that probes sends the same data in smaller segments then (RFC 4821
/// §7.7), and they arrive.
/// </summary>
struct BlackHoleWatch
{
    Run _run; // the segment at SND.UNA that was sent again
    Found? _found; // the one that took longest until smaller segments arrived
    bool _isHeard; // the other end has said something since the first retransmission

    /// <summary>Whether a segment is being resent.</summary>
    public readonly bool IsOpen => _run.Size > 0;

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The retransmission.</param>
    public void OnResent(in SendState sent, in Segment segment)
    {
        int size = Math.Min(segment.Length - ((int)segment.Flags & 1), sent.Sizes.WirePayload);
        if (size <= 0 || segment.Start != sent.Space.SndUna)
        {
            return;
        }

        var position = new TracePosition(segment.PacketNumber, segment.Time);
        if (!IsOpen || _run.Start != segment.Start)
        {
            _isHeard = false;
            _run = new Run
            {
                Start = segment.Start,
                First = position,
                Since = sent.Times.LastAck > sent.Times.FirstData ? sent.Times.LastAck : sent.Times.FirstData,
                HadPassed = sent.Sizes.IsFullKnown && sent.Sizes.FirstFull < sent.Space.SndUna,
            };
        }

        _run.OnSent(size, position);
    }

    /// <summary>Takes in that the other end was heard.</summary>
    /// <param name="una">SND.UNA by now.</param>
    /// <param name="now">When.</param>
    public void OnHeard(SequenceNumber una, TraceTime now)
    {
        _isHeard = true;
        if (!IsOpen || una <= _run.Start)
        {
            return;
        }

        if (_run.HasShrunk && now - _run.Since > (_found?.Nanos ?? 0))
        {
            _found = new(_run, now - _run.Since);
        }

        _run = default;
    }

    /// <summary>What was found.</summary>
    /// <param name="sent">The end.</param>
    /// <param name="end">Where what goes on ends.</param>
    /// <returns>The segment that took longest; null without any.</returns>
    public readonly BlackHole? Summarise(in SendState sent, TraceTime end)
    {
        bool isUnrepaired = (_isHeard || IsSmallerHeard(sent)) && !_run.HadPassed
            && _run.Resent >= Thresholds.MinUnrepairedFullSized && end - _run.Since > (_found?.Nanos ?? 0);
        Run run = isUnrepaired ? _run : _found?.Run ?? default;
        return run.Size > 0 && run.IsFull(sent.Sizes)
            ? new(run.Size, run.Resent, isUnrepaired ? null : run.Smaller, run.HadPassed, run.First, run.Last, isUnrepaired ? end - run.Since : _found!.Nanos)
            : null;
    }

    // What was sent right before it, and was smaller, arrived: the path and the other end were alive then.
    readonly bool IsSmallerHeard(in SendState sent) => sent.Sizes.IsFirstFullBehind && sent.Sizes.FirstFull == _run.Start;

    // Rare: one is allocated where it is found.
    sealed record Found(Run Run, long Nanos);

    // One segment that is resent.
    struct Run
    {
        const int MinStep = 20; // bytes: less than any option or tunnel header takes

        public SequenceNumber Start;
        public TraceTime Since;
        public TracePosition First;
        public TracePosition Last; // in full size
        public int Size; // payload, bytes
        public int Resent; // in full size
        public int Smaller; // payload of the last retransmission, when it is smaller; else 0
        public bool HadPassed;

        // Sent so often in full size that chance would hardly lose each, then in smaller segments.
        public readonly bool HasShrunk =>
            Smaller > 0 && Resent >= (HadPassed ? Thresholds.MinUnrepairedFullSized : Thresholds.MinFullSizedLost);

        public readonly bool IsFull(in SegmentSizes sizes) =>
            Size * 10L >= 9L * (sizes.Mss > 0 ? sizes.Mss : sizes.MaxPayload) && Size > Thresholds.SmallestMtuPayload;

        public void OnSent(int size, TracePosition position)
        {
            if (size > Size - MinStep)
            {
                Size = Math.Max(size, Size);
                Resent++;
                Last = position;
                Smaller = 0;
            }
            else
            {
                Smaller = size;
            }
        }
    }
}
