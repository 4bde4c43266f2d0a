using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>Events of one stack, fed one by one as a session would: times in milliseconds.</summary>
sealed class LiveScript
{
    public const ulong Tcb = 0xFFFF_8000_0000_1000;

    const long Millisecond = 1_000_000;

    public static readonly Endpoint Local = new(IpAddress.FromIpv4(0x0A000001), 50_000);
    public static readonly Endpoint Remote = new(IpAddress.FromIpv4(0x0A000002), 443);

    readonly StackEvent _event = new();

    public LiveScript() => Connections = new LiveConnections(process => Names.GetValueOrDefault(process, $"process-{process}"));

    /// <summary>Names of processes, where they are not "process-" and the number.</summary>
    public Dictionary<uint, string> Names { get; } = [];

    public LiveConnections Connections { get; }

    public LiveScript Feed(double ms, StackEventKind kind, params ReadOnlySpan<(StackField Field, long Value)> fields)
    {
        _event.Reset(kind, At(ms), "test");
        (_event.Tcb, _event.ProcessId) = (Tcb, 7);
        if (kind is StackEventKind.ConnectionRundown or StackEventKind.Accepted)
        {
            (_event.Local, _event.Remote) = (Local, Remote);
        }

        foreach ((StackField field, long value) in fields)
        {
            _event.Set(field, value);
        }

        Connections.OnEvent(_event);
        return this;
    }

    /// <summary>Data that is sent, of so much that is posted with it, bytes.</summary>
    public LiveScript Send(double ms, long seq, int bytes, int cwnd = 14_600, int window = 65_535, int posted = 0)
    {
        if (posted > 0)
        {
            Feed(ms, StackEventKind.SendPosted, (StackField.Bytes, posted));
        }

        return Feed(ms, StackEventKind.SegmentSent, (StackField.SeqNo, seq & uint.MaxValue), (StackField.Bytes, bytes), (StackField.Cwnd, cwnd),
            (StackField.SndWnd, window), (StackField.Srtt, 20_000));
    }

    public LiveScript Acknowledge(double ms, int bytes, int cwnd = 14_600, int window = 65_535) =>
        Feed(ms, StackEventKind.AckReceived, (StackField.Bytes, bytes), (StackField.Cwnd, cwnd), (StackField.SndWnd, window));

    /// <summary>Begins a connection with another peer for each number.</summary>
    public void Begin(uint number)
    {
        _event.Reset(StackEventKind.ConnectionRundown, At(0), "test");
        (_event.Tcb, _event.ProcessId, _event.Local, _event.Remote) = (Tcb + number, 7, Local, new(IpAddress.FromIpv4(0x0B000000 + number), 443));
        Connections.OnEvent(_event);
    }

    public void End(uint number)
    {
        _event.Reset(StackEventKind.Closed, At(0), "test");
        _event.Tcb = Tcb + number;
        Connections.OnEvent(_event);
    }

    public List<Reading> Read(double ms)
    {
        List<Reading> readings = [];
        Connections.Read(At(ms), one => readings.Add(new(one)));
        return readings;
    }

    static TraceTime At(double ms) => new((long)(ms * Millisecond));

    /// <summary>A copy of what a reading shows.</summary>
    public sealed class Reading(LiveConnection one)
    {
        public (Endpoint Local, Endpoint Remote) Ends { get; } = (one.Local, one.Remote);

        public (uint? Id, string? Name) Process { get; } = (one.ProcessId, one.Process);

        public long? SrttNanos { get; } = one.SrttNanos;

        public int? CwndBytes { get; } = one.CwndBytes;

        public int? InFlightBytes { get; } = one.InFlightBytes;

        public int? SendWindowBytes { get; } = one.SendWindowBytes;

        public long BytesOut { get; } = one.BytesOut;

        public long BytesIn { get; } = one.BytesIn;

        public long Retransmissions { get; } = one.Retransmissions;

        public long Reorderings { get; } = one.Reorderings;

        public RecoveryState Recovery { get; } = one.Recovery;

        public LimitTimes Times { get; } = one.Times;

        public double Ms(LimitState state) => (double)Times.In(state) / Millisecond;
    }
}
