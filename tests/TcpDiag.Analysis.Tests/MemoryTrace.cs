using System.Collections.Generic;
using TcpDiag.Analysis.Intake;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests;

/// <summary>A trace made in a test: frames and events with their instants in microseconds.</summary>
sealed class MemoryTrace : TraceReader
{
    readonly List<Entry> _entries = [];
    readonly List<TraceInterface> _interfaces = [];
    readonly StackEvent _event = new();
    int _next;

    public override string Path => "memory";

    public override TraceFormat Format => TraceFormat.Pcapng;

    public override IReadOnlyList<TraceInterface> Interfaces => _interfaces;

    public override SystemFacts System { get; } = new();

    public override IReadOnlyList<TraceProblem> Problems => [];

    public override long RecordsRead => _next;

    /// <summary>Adds a packet.</summary>
    public MemoryTrace Packet(long microseconds, FrameBuilder frame, int interfaceIndex = 0, bool isRepeat = false, int cutTo = int.MaxValue)
    {
        while (_interfaces.Count <= interfaceIndex)
        {
            _interfaces.Add(new TraceInterface { Index = _interfaces.Count, LinkType = LinkType.Ethernet });
        }

        byte[] bytes = frame.Build();
        _entries.Add(new Entry(microseconds, bytes.Length > cutTo ? bytes[..cutTo] : bytes, bytes.Length, interfaceIndex, isRepeat, null));
        return this;
    }

    /// <summary>Adds a packet with a cooked header (LINUX_SLL, LINUX_SLL2).</summary>
    public MemoryTrace Cooked(long microseconds, byte[] header, FrameBuilder frame)
    {
        byte[] bytes = [.. header, .. frame.RawIp().Build()];
        LinkType link = header.Length == 16 ? LinkType.LinuxSll : LinkType.LinuxSll2;
        _entries.Add(new Entry(microseconds, bytes, bytes.Length, 0, false, null, link));
        return this;
    }

    /// <summary>Adds a stack event.</summary>
    public MemoryTrace Event(long microseconds, StackEventKind kind, global::System.Action<StackEvent> fill)
    {
        _entries.Add(new Entry(microseconds, [], 0, 0, false, (kind, fill)));
        return this;
    }

    public TraceAnalysis Analyze() => TraceAnalyzer.Analyze(this);

    public override bool TryRead(ref TraceRecord record)
    {
        if (_next == _entries.Count)
        {
            return false;
        }

        Entry entry = _entries[_next++];
        record = default;
        record.Time = new TraceTime(entry.Microseconds * 1000);
        record.Kind = entry.Event is null ? TraceRecordKind.Packet : TraceRecordKind.StackEvent;
        record.Data = entry.Frame;
        record.OriginalLength = entry.Length;
        record.LinkType = entry.Link;
        record.InterfaceIndex = entry.Interface;
        record.IsRepeat = entry.IsRepeat;
        if (entry.Event is { } told)
        {
            _event.Reset(told.Kind, record.Time, "test");
            told.Fill(_event);
            record.Event = _event;
        }

        return true;
    }

    protected override void Dispose(bool disposing)
    {
    }

    sealed record Entry(
        long Microseconds,
        byte[] Frame,
        int Length,
        int Interface,
        bool IsRepeat,
        (StackEventKind Kind, global::System.Action<StackEvent> Fill)? Event,
        LinkType Link = LinkType.Ethernet);
}
