using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Probe.Receiving;
using TcpDiag.Shim.Tun;
using TcpDiag.Simulator.Tests.Senders.Cases;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Tests.Senders.Kernel;

/// <summary>
/// A socket of this kernel, whose peer is the case: a host behind a TUN device that acknowledges what the case says, when it says so. Lives in the network
/// namespace of the thread that made it, and on the system's clock: what a case asks for is waited for a little, because the timers of a kernel are late by
/// up to an eighth (kernel/time/timer.c), and by two ticks.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class KernelSender : ICaseSender, IDisposable
{
    const int TcpLevel = 6; // IPPROTO_TCP, <netinet/in.h>
    const int InfoOption = 11; // TCP_INFO, linux/tcp.h
    const int CongestionOption = 13; // TCP_CONGESTION
    const byte WindowScale = 8;
    const ushort Port = 5000;
    const int SlackMs = 200; // an eighth of the longest timer that a case waits for, 1.2 s, and more
    const int ConnectMs = 2_000;
    const long NanosPerMs = 1_000_000;

    static readonly IpAddress Here = IpAddress.FromIpv4(0xC000_0201); // 192.0.2.1, RFC 5737
    static readonly IpAddress There = IpAddress.FromIpv4(0xC000_0202);

    readonly CaseStack _stack;
    readonly TunStation _station;
    readonly Socket _socket;
    readonly List<string> _sent = [];
    readonly byte[] _buffer = new byte[65_536];
    readonly byte[] _answer = new byte[SegmentCodec.MaxBytes];
    readonly SequenceNumber _iss = new(7_000);
    readonly byte[] _payload = new byte[1 << 20];
    ParsedPacket _packet;
    Endpoint _peer;
    SequenceNumber _first;
    SequenceNumber _una;
    SequenceNumber _next;
    ProbeSegment? _syn;
    int _window;
    long _start;
    bool _isOpen;

    public KernelSender(CaseStack stack)
    {
        _stack = stack;
        _window = BytesOf(stack.WindowSegments);
        KernelSettings.Apply(stack);
        _socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp); // its buffer is that of the settings
        _station = new TunStation("case0", Here, 24);
        TunStation.TakePriority();
    }

    /// <inheritdoc/>
    public double NowMs => _isOpen ? Stopwatch.GetElapsedTime(_start).TotalMilliseconds : 0;

    /// <inheritdoc/>
    public double SndUna => ((double)(_una - _first) / _stack.Smss) + 1;

    /// <inheritdoc/>
    public double SndNxt => ((double)(_next - _first) / _stack.Smss) + 1;

    /// <inheritdoc/>
    public void OnHandshakeRtt(double ms)
    {
        _socket.Blocking = false;
        _socket.NoDelay = true;
        _socket.SetRawSocketOption(TcpLevel, CongestionOption, _stack.Traits.Congestion.Algorithm == CongestionAlgorithm.Cubic ? "cubic"u8 : "reno"u8);
        try
        {
            _socket.Connect(new IPEndPoint(System.Net.IPAddress.Parse(There.ToString()), Port));
        }
        catch (SocketException pending) when (pending.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
        }

        long began = Stopwatch.GetTimestamp();
        PumpUntil(() => _syn is not null, ConnectMs);
        PumpUntil(() => Stopwatch.GetElapsedTime(began).TotalMilliseconds >= ms, ConnectMs);
        ProbeSegment answer = new()
        {
            Flags = TcpFlags.Syn | TcpFlags.Ack | (_stack.Traits.Name is "ecn" ? TcpFlags.Ece : 0), // RFC 3168 §6.1.1
            Seq = _iss,
            Ack = _first,
            Window = Math.Min(_window, ushort.MaxValue),
            Mss = _stack.Smss,
            WindowScale = WindowScale,
            SackPermitted = _stack.Traits.Detection != TcpDiag.Simulator.Senders.LossDetection.NewReno,
        };
        Send(answer);
        PumpUntil(() => _isOpen, ConnectMs);
        Ack(AckWords.Of(1)); // opens the window beyond what a SYN can say
        _start = Stopwatch.GetTimestamp();
    }

    /// <inheritdoc/>
    public void At(double ms)
    {
        if (_isOpen)
        {
            PumpUntil(() => NowMs >= ms, ms + ConnectMs);
        }
    }

    /// <inheritdoc/>
    public void Write(string amount)
    {
        bool isBytes = amount.EndsWith('b');
        double number = double.Parse(isBytes ? amount[..^1] : amount, CultureInfo.InvariantCulture);
        int bytes = isBytes ? (int)number : BytesOf(number);
        for (int done = 0; done < bytes;)
        {
            done += _socket.Send(_payload.AsSpan(0, Math.Min(bytes - done, _payload.Length)));
        }
    }

    /// <inheritdoc/>
    public void Ack(AckWords words)
    {
        if (words.EchoMs is not null)
        {
            throw new NotSupportedException("it echoes timestamps");
        }

        _window = words.Window is { } segments ? BytesOf(segments) : _window;
        ProbeSegment ack = new()
        {
            Flags = TcpFlags.Ack | (words.HasEcnEcho ? TcpFlags.Ece : 0),
            Seq = _iss + 1,
            Ack = PositionOf(words.Next),
            Window = _window,
        };
        _una = ack.Ack;
        foreach ((double left, double right) in words.Blocks)
        {
            ack.Add(new SackBlock(PositionOf(left), PositionOf(right)));
        }

        Receive(); // what was sent before is read before
        Send(ack);
        Receive();
    }

    /// <inheritdoc/>
    public void Hold(bool isHeld) => throw new NotSupportedException("something outside holds its sending");

    /// <inheritdoc/>
    public string TakeSent(string expected)
    {
        string wanted = KernelWords.AsSeen(expected);
        PumpUntil(() => string.Equals(SegmentList.Format(_sent), wanted, StringComparison.Ordinal), SlackMs);
        string sent = SegmentList.Format(_sent);
        _sent.Clear();
        return string.Equals(sent, wanted, StringComparison.Ordinal) ? expected : sent;
    }

    /// <inheritdoc/>
    public string? Marked(string mark) => null;

    /// <inheritdoc/>
    public object? State(string name)
    {
        Receive();
        byte[] info = new byte[256];
        Span<byte> room = info;
        int length = _socket.GetRawSocketOption(TcpLevel, InfoOption, room);
        return KernelWords.State(name, room[..length], _stack.Smss);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _socket.Close(0);
        _station.Dispose();
    }

    void PumpUntil(Func<bool> isOver, double limitMs)
    {
        long began = Stopwatch.GetTimestamp();
        while (!isOver() && Stopwatch.GetElapsedTime(began).TotalMilliseconds < limitMs)
        {
            _station.Wait(NanosPerMs / 4);
            Receive();
        }
    }

    void Receive()
    {
        int length;
        while ((length = _station.Receive(_buffer)) > 0)
        {
            if (PacketParser.TryParse(_buffer.AsSpan(0, length), LinkType.Raw, ref _packet) && _packet.IsTcp)
            {
                OnSegment(SegmentCodec.Read(_packet));
            }
        }
    }

    void OnSegment(in ProbeSegment segment)
    {
        if ((segment.Flags & TcpFlags.Syn) != 0)
        {
            _peer = new Endpoint(Here, _packet.SourcePort);
            _syn = segment;
            (_first, _una, _next) = (segment.Seq + 1, segment.Seq + 1, segment.Seq + 1);
            return;
        }

        _isOpen = true;
        if (segment.Length > 0)
        {
            Note(segment);
        }
        else if (segment.Seq == _una + -1)
        {
            _sent.Add(string.Create(CultureInfo.InvariantCulture, $"{SndUna:0}w")); // tcp_xmit_probe_skb probes a window with an old number
        }
    }

    // A packet of more than SMSS is one that the host would have cut.
    void Note(in ProbeSegment segment)
    {
        for (SequenceNumber seq = segment.Seq; seq < segment.End;)
        {
            int bytes = Math.Min(_stack.Smss, segment.End - seq);
            string number = (((double)(seq - _first) / _stack.Smss) + 1).ToString("0.###", CultureInfo.InvariantCulture);
            string part = bytes == _stack.Smss ? string.Empty : string.Create(CultureInfo.InvariantCulture, $":{bytes}");
            _sent.Add(number + part + (seq < _next ? "r" : string.Empty));
            seq += bytes;
            _next = seq > _next ? seq : _next;
        }
    }

    void Send(in ProbeSegment segment) =>
        _station.Send(_answer.AsSpan(0, SegmentCodec.Write(segment, WindowScale, new Endpoint(There, Port), _peer, _answer)));

    SequenceNumber PositionOf(double segment) => _first + BytesOf(segment - 1);

    int BytesOf(double segments) => (int)Math.Round(segments * _stack.Smss);
}
