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
sealed class CaseSender
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

    TraceTime Now => new(_nowNanos);

    uint TsVal => TimestampOf(_nowNanos / Ms);

    /// <summary>Moves the clock; it does not run backwards.</summary>
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

    public void OnHandshakeRtt(double ms) => Tcp.OnHandshakeRtt(Now, (long)(ms * Ms));

    /// <summary>The program writes: segments, or bytes where a <c>b</c> follows.</summary>
    public void Write(string amount)
    {
        bool isBytes = amount.EndsWith('b');
        double number = double.Parse(isBytes ? amount[..^1] : amount, CultureInfo.InvariantCulture);
        Tcp.OnWritten(isBytes ? (int)number : BytesOf(number));
        SendAll();
    }

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

    /// <summary><c>2-11 [every MS] [by N]</c>: cumulative acknowledgments one after the other.</summary>
    public void Acks(string[] words)
    {
        (int from, int to) = SegmentList.Range(words[0]);
        int by = (int)Option(words, "by", 1);
        double every = Option(words, "every", 0);
        double ms = (double)_nowNanos / Ms;
        for (int next = from; next <= to; next += by, ms += every)
        {
            At(ms);
            Ack(AckWords.Of(next));
        }
    }

    /// <summary><c>N every MS [by N]</c>: as often, all that is in flight is acknowledged.</summary>
    public void Rounds(string[] words)
    {
        int by = (int)Option(words, "by", 1);
        double every = Option(words, "every", 0);
        double ms = (double)_nowNanos / Ms;
        for (int round = 0; round < int.Parse(words[0], CultureInfo.InvariantCulture); round++, ms += every)
        {
            At(ms);
            int next = (Tcp.SndUna - _first) / _smss;
            for (int end = (Tcp.SndNxt - _first) / _smss; next < end;)
            {
                next = Math.Min(next + by, end);
                Ack(AckWords.Of(next + 1));
            }
        }
    }

    /// <summary>The first segment is lost: everything outstanding behind it is SACKed.</summary>
    public void Lose()
    {
        double una = Segments(Tcp.SndUna - _first) + 1;
        AckWords ack = AckWords.Of(una);
        ack.Blocks.Add((una + 1, Segments(Tcp.SndNxt - _first) + 1));
        Ack(ack);
    }

    /// <summary>Something outside, like pacing, keeps it from sending, or no longer does.</summary>
    public void Hold(bool isHeld)
    {
        _isHeld = isHeld;
        SendAll();
    }

    /// <summary>What was sent since the last question.</summary>
    public string TakeSent()
    {
        string sent = SegmentList.Format(_sent);
        _sent.Clear();
        return sent;
    }

    /// <summary>Numbers of the segments that are marked as lost, or SACKed.</summary>
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

    static double Option(string[] words, string name, double otherwise)
    {
        int index = Array.IndexOf(words, name);
        return index < 0 ? otherwise : double.Parse(words[index + 1], CultureInfo.InvariantCulture);
    }

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
