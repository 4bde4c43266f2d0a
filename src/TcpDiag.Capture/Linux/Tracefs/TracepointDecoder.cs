using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>Decodes the events of one tracepoint, with the offsets of the kernel that runs.</summary>
sealed class TracepointDecoder
{
    const long ProtocolTcp = 6;
    const long InfiniteThreshold = int.MaxValue;

    // TRACE_FLAG_HARDIRQ, _SOFTIRQ and _NMI, linux/trace_events.h: the interrupted thread has nothing to do with it.
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
            if (format.Find(field.Name) is { } found)
            {
                fields.Add((found, field.Field, field.Rule));
            }
        }

        _fields = [.. fields];
    }

    /// <summary>Reads the two ends.</summary>
    /// <returns>False when the event has none, or is not of TCP.</returns>
    public bool TryReadEnds(ReadOnlySpan<byte> data, out Endpoint local, out Endpoint remote)
    {
        AddressFields localEnd = _tracepoint.IsOfReceivedPacket ? _destinationEnd : _sourceEnd;
        AddressFields remoteEnd = _tracepoint.IsOfReceivedPacket ? _sourceEnd : _destinationEnd;
        remote = default;
        bool isOther = _protocol is not null && _protocol.TryRead(data, out long protocol) && protocol != ProtocolTcp;
        return localEnd.TryRead(data, out local) && remoteEnd.TryRead(data, out remote) && !isOther;
    }

    /// <summary>Decodes an event for which <see cref="TryReadEnds"/> succeeded.</summary>
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

        foreach ((EventField field, StackField destination, FieldRule rule) in _fields)
        {
            if (field.TryRead(data, out long value) && TryApply(rule, ref value))
            {
                target.Set(destination, value);
            }
        }
    }

    /// <summary>The thread in whose system call an event happened.</summary>
    /// <returns>Its id; 0 when it happened in an interrupt, or is not known.</returns>
    public int ReadCaller(ReadOnlySpan<byte> data) =>
        _flags is not null && _thread is not null && _flags.TryRead(data, out long flags) && (flags & InterruptFlags) == 0
            && _thread.TryRead(data, out long thread) ? (int)thread : 0;

    static bool TryApply(FieldRule rule, ref long value) => rule switch
    {
        FieldRule.TcpState => TcpStates.TryTranslate(value, out value),
        FieldRule.UnlessZero => value != 0,
        FieldRule.UnlessInfinite => value < InfiniteThreshold,
        _ => true,
    };
}

/// <summary>
/// One end of a connection in a tracepoint. Kernels have two forms: the bytes of a socket address (28 bytes, the port
/// within or in a field of its own), or 4 bytes for IPv4 beside 16 bytes for IPv6 (<c>saddr</c>, <c>saddr_v6</c>).
/// </summary>
sealed class AddressFields
{
    const long FamilyIpv4 = 2;
    const long FamilyIpv6 = 10;

    // struct sockaddr_in and sockaddr_in6: family, port, then the address; IPv6 has its flow label before it.
    const int SocketAddressLength = 28;
    const int PortOffset = 2;
    const int Ipv4Offset = 4;
    const int Ipv6Offset = 8;
    const int Ipv6Length = 16;

    readonly EventField? _family;
    readonly EventField? _address;
    readonly EventField? _address6;
    readonly EventField? _port;

    public AddressFields(EventFormat format, string address, string port)
    {
        _family = format.Find("family");
        _address = format.Find(address);
        _address6 = format.Find(address + "_v6");
        _port = format.Find(port);
    }

    /// <summary>Reads the end.</summary>
    /// <returns>False when the event has no address of IPv4 or IPv6.</returns>
    public bool TryRead(ReadOnlySpan<byte> data, out Endpoint end)
    {
        end = default;
        if (_address is null)
        {
            return false;
        }

        return _address.Size >= SocketAddressLength
            ? TryReadSocketAddress(data, out end)
            : TryReadPlain(data, out end);
    }

    bool TryReadSocketAddress(ReadOnlySpan<byte> data, out Endpoint end)
    {
        end = default;
        ReadOnlySpan<byte> bytes = _address!.Slice(data);
        if (bytes.IsEmpty)
        {
            return false;
        }

        ushort port = BinaryPrimitives.ReadUInt16BigEndian(bytes[PortOffset..]);
        port = _port is not null && _port.TryRead(data, out long separate) ? (ushort)separate : port;
        switch (BinaryPrimitives.ReadUInt16LittleEndian(bytes))
        {
            case (ushort)FamilyIpv4:
                end = new(IpAddress.Read(bytes.Slice(Ipv4Offset, 4)), port);
                return true;
            case (ushort)FamilyIpv6:
                end = new(IpAddress.Read(bytes.Slice(Ipv6Offset, Ipv6Length)), port);
                return true;
            default:
                return false;
        }
    }

    bool TryReadPlain(ReadOnlySpan<byte> data, out Endpoint end)
    {
        end = default;
        if (_family is null || _port is null || !_family.TryRead(data, out long family) || !_port.TryRead(data, out long port))
        {
            return false;
        }

        EventField? field = family switch { FamilyIpv4 => _address, FamilyIpv6 => _address6, _ => null };
        ReadOnlySpan<byte> bytes = field is null ? [] : field.Slice(data);
        if (bytes.Length is not (4 or Ipv6Length))
        {
            return false;
        }

        end = new(IpAddress.Read(bytes), (ushort)port);
        return true;
    }
}
