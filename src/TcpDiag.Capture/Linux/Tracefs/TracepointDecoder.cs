using System;
using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>Decodes the events of one tracepoint, with the offsets of the kernel that runs.</summary>
sealed class TracepointDecoder
{
    const long ProtocolTcp = 6;
    const long InfiniteThreshold = int.MaxValue;

    // TRACE_FLAG_HARDIRQ, _SOFTIRQ and _NMI, linux/trace_events.h: the thread that ran has nothing to do with it.
    const long InterruptFlags = 0x08 | 0x10 | 0x40;

    readonly Tracepoint _tracepoint;
    readonly string _source;
    readonly EventField? _socket;
    readonly EventField? _protocol;
    readonly EventField? _flags;
    readonly EventField? _thread;
    readonly AddressFields _sourceEnd;
    readonly AddressFields _destinationEnd;
    readonly (EventField Field, StackField Target, FieldRule Rule)[] _fields;

    /// <summary>Finds the fields in this kernel's layout.</summary>
    /// <param name="tracepoint">What is decoded.</param>
    /// <param name="format">Its layout here.</param>
    public TracepointDecoder(Tracepoint tracepoint, EventFormat format)
    {
        _tracepoint = tracepoint;
        _source = $"{tracepoint.Group}:{tracepoint.Name}";
        _socket = format.Find("skaddr");
        _protocol = format.Find("protocol");
        _flags = format.Find("common_flags");
        _thread = format.Find("common_pid");
        _sourceEnd = new(format, "saddr", "sport");
        _destinationEnd = new(format, "daddr", "dport");
        var fields = new List<(EventField, StackField, FieldRule)>();
        foreach (TracepointField field in tracepoint.Fields)
        {
            if (format.Find(field.Name) is { } place)
            {
                fields.Add((place, field.Field, field.Rule));
            }
        }

        _fields = [.. fields];
    }

    /// <summary>Reads the two ends.</summary>
    /// <param name="data">The event.</param>
    /// <param name="local">This machine's end.</param>
    /// <param name="remote">The peer's end.</param>
    /// <returns>False when the event has none, or is not of TCP.</returns>
    public bool TryReadEnds(ReadOnlySpan<byte> data, out Endpoint local, out Endpoint remote)
    {
        AddressFields localEnd = _tracepoint.IsOfReceivedPacket ? _destinationEnd : _sourceEnd;
        AddressFields remoteEnd = _tracepoint.IsOfReceivedPacket ? _sourceEnd : _destinationEnd;
        remote = default;
        bool isOther = _protocol is not null && _protocol.TryRead(data, out long protocol) && protocol != ProtocolTcp;
        return localEnd.TryRead(data, out local) && remoteEnd.TryRead(data, out remote) && !isOther;
    }

    /// <summary>Decodes what <see cref="TryReadEnds"/> let through.</summary>
    /// <param name="data">The event.</param>
    /// <param name="time">When it happened.</param>
    /// <param name="handles">Gives sockets their handles.</param>
    /// <param name="target">Overwritten; its ends are left to the caller.</param>
    public void Decode(ReadOnlySpan<byte> data, TraceTime time, SocketHandles handles, StackEvent target)
    {
        target.Reset(_tracepoint.Kind, time, _source);
        if (_socket is not null && _socket.TryRead(data, out long address))
        {
            target.Tcb = handles.Translate((ulong)address);
        }

        if (_tracepoint.Direction is { } direction)
        {
            target.Set(StackField.Direction, direction);
        }

        foreach ((EventField field, StackField place, FieldRule rule) in _fields)
        {
            if (field.TryRead(data, out long value) && TryApply(rule, ref value))
            {
                target.Set(place, value);
            }
        }
    }

    /// <summary>The thread in whose system call an event happened.</summary>
    /// <param name="data">The event.</param>
    /// <returns>Its id; 0 when it happened in an interrupt, or is not told.</returns>
    public int ReadCaller(ReadOnlySpan<byte> data) =>
        _flags is not null && _thread is not null && _flags.TryRead(data, out long flags) && (flags & InterruptFlags) == 0 && _thread.TryRead(data, out long thread) ? (int)thread : 0;

    static bool TryApply(FieldRule rule, ref long value) => rule switch
    {
        FieldRule.TcpState => TcpStates.TryTranslate(value, out value),
        FieldRule.UnlessZero => value != 0,
        FieldRule.UnlessInfinite => value < InfiniteThreshold,
        _ => true,
    };
}
