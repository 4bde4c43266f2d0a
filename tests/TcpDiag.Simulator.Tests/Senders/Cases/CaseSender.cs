using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>
/// The reference sender on the clock of a case. Segments are counted from 1; sequence numbers and timestamps begin at a number of the test's choice. Timers
/// expire on the way from one event to the next.
/// </summary>
sealed class CaseSender : ICaseSender
{
    const long Ms = 1_000_000;

    readonly int _smss;
    readonly SequenceNumber _first;
    readonly uint _firstTimestamp;
    readonly List<string> _sent = [];
    int _window;
    long _nowNanos;
    bool _isHeld;

    public CaseSender(CaseStack stack, uint first)
    {
        _smss = stack.Smss;
        _first = new SequenceNumber(first);
        _firstTimestamp = first;
        _window = BytesOf(stack.WindowSegments);
        Tcp = new Sender(stack.Traits, _smss, _first, _window, stack.SynTimeouts);
    }

    public Sender Tcp { get; }

    /// <summary>Bytes as segments.</summary>
    public double Segments(long bytes) => (double)bytes / _smss;

    /// <inheritdoc/>
    public double NowMs => (double)_nowNanos / Ms;

    /// <inheritdoc/>
    public double SndUna => Segments(Tcp.SndUna - _first) + 1;

    /// <inheritdoc/>
    public double SndNxt => Segments(Tcp.SndNxt - _first) + 1;

    TraceTime Now => new(_nowNanos);

    uint TsVal => TimestampOf(_nowNanos / Ms);

    /// <inheritdoc/>
    public void At(double ms)
    {
        long until = (long)Math.Round(ms * Ms);
        if (until < _nowNanos)
        {
            throw new InvalidDataException("time runs backwards");
        }

        while (Tcp.NextTimer <= new TraceTime(until))
        {
            _nowNanos = Tcp.NextTimer.Nanoseconds;
            if (Tcp.OnTimer(Now, TsVal, out OutgoingSegment probe))
            {
                Note(probe);
            }

            SendAll();
        }

        _nowNanos = until;
    }

    /// <inheritdoc/>
    public void OnHandshakeRtt(double ms) => Tcp.OnHandshakeRtt(Now, (long)(ms * Ms));

    /// <inheritdoc/>
    public void Write(string amount)
    {
        bool isBytes = amount.EndsWith('b');
        double number = double.Parse(isBytes ? amount[..^1] : amount, CultureInfo.InvariantCulture);
        Tcp.OnWritten(isBytes ? (int)number : BytesOf(number));
        SendAll();
    }

    /// <inheritdoc/>
    public void Ack(AckWords words)
    {
        int window = words.Window is { } segments ? BytesOf(segments) : _window;
        SequenceNumber una = PositionOf(words.Next);
        AckArrival ack = new()
        {
            Now = Now,
            Una = una,
            Window = window,
            HasEcnEcho = words.HasEcnEcho,
            IsDuplicate = una == Tcp.SndUna && Tcp.FlightBytes > 0 && window == _window, // RFC 5681 §2
            HasTimestamps = words.EchoMs is not null,
            TsEcr = TimestampOf(words.EchoMs ?? 0),
        };
        foreach ((double left, double right) in words.Blocks)
        {
            ack.Add(new SackBlock(PositionOf(left), PositionOf(right)));
        }

        _window = window;
        Tcp.OnAckReceived(ack);
        SendAll();
    }

    /// <inheritdoc/>
    public void Hold(bool isHeld)
    {
        _isHeld = isHeld;
        SendAll();
    }

    /// <inheritdoc/>
    public string TakeSent(string expected)
    {
        string sent = SegmentList.Format(_sent);
        _sent.Clear();
        return sent;
    }

    /// <inheritdoc/>
    public string Marked(string mark)
    {
        List<string> numbers = [];
        for (int i = 0; i < Tcp.Board.Count; i++)
        {
            if (mark is "lost" ? Tcp.Board[i].Rack.IsLost : Tcp.Board[i].IsSacked)
            {
                numbers.Add(NumberOf(Tcp.Board[i].Rack.Seq));
            }
        }

        return SegmentList.Format(numbers);
    }

    /// <inheritdoc/>
    public object State(string name) => CaseState.Of(this, name);

    void SendAll()
    {
        while (!_isHeld && Tcp.TrySend(Now, TsVal, out OutgoingSegment segment))
        {
            Note(segment);
        }
    }

    void Note(OutgoingSegment segment)
    {
        string kind = segment.Kind switch
        {
            SegmentKind.Retransmission => "r",
            SegmentKind.NewProbe => "p",
            SegmentKind.RetransmittedProbe => "t",
            SegmentKind.WindowProbe => "w",
            _ => string.Empty,
        };
        bool isPart = segment.Length != _smss && segment.Kind != SegmentKind.WindowProbe;
        _sent.Add(NumberOf(segment.Seq) + (isPart ? string.Create(CultureInfo.InvariantCulture, $":{segment.Length}") : string.Empty) + kind);
    }

    string NumberOf(SequenceNumber seq) => (Segments(seq - _first) + 1).ToString("0.###", CultureInfo.InvariantCulture);

    SequenceNumber PositionOf(double segment) => _first + BytesOf(segment - 1);

    int BytesOf(double segments) => (int)Math.Round(segments * _smss);

    uint TimestampOf(long ms) => unchecked(_firstTimestamp + (uint)ms);
}
