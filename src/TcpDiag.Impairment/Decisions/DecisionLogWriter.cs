using System;
using System.Buffers.Binary;
using System.IO;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Decisions;

/// <summary>Writes a decision log through a buffer of fixed size. Not thread-safe. The stream stays open.</summary>
public sealed class DecisionLogWriter : IDecisionSink
{
    const int BufferedRecords = 2048;

    readonly Stream _stream;
    readonly byte[] _buffer = new byte[BufferedRecords * DecisionLogFormat.RecordBytes];
    int _used;

    /// <summary>Starts a log.</summary>
    /// <param name="stream">Where to write it.</param>
    /// <param name="header">The run it belongs to.</param>
    /// <exception cref="ArgumentException">The profile is longer than 64 KiB.</exception>
    public DecisionLogWriter(Stream stream, DecisionLogHeader header)
    {
        _stream = stream;
        byte[] profile = Encoding.UTF8.GetBytes(header.Profile);
        if (profile.Length > DecisionLogFormat.MaxProfileBytes)
        {
            throw new ArgumentException("A profile has at most 64 KiB.", nameof(header));
        }

        Span<byte> head = stackalloc byte[DecisionLogFormat.HeaderBytes];
        DecisionLogFormat.Magic.CopyTo(head);
        BinaryPrimitives.WriteUInt16LittleEndian(head[8..], DecisionLogFormat.Version);
        BinaryPrimitives.WriteUInt16LittleEndian(head[10..], DecisionLogFormat.RecordBytes);
        BinaryPrimitives.WriteInt32LittleEndian(head[12..], profile.Length);
        BinaryPrimitives.WriteInt64LittleEndian(head[16..], header.StartedAt.Nanoseconds);
        BinaryPrimitives.WriteUInt64LittleEndian(head[24..], header.Seed);
        BinaryPrimitives.WriteInt64LittleEndian(head[32..], header.DelayErrorLimitNanos);
        stream.Write(head);
        stream.Write(profile);
    }

    /// <summary>Appends a decision; writes to the stream when the buffer is full.</summary>
    /// <param name="decision">The decision.</param>
    public void Record(in ImpairmentDecision decision) => DecisionLogFormat.WriteRecord(Next(), in decision);

    /// <summary>Writes what is buffered.</summary>
    public void Flush()
    {
        _stream.Write(_buffer, 0, _used);
        _used = 0;
        _stream.Flush();
    }

    /// <summary>Ends the log: the end record shows a reader that nothing was cut off.</summary>
    /// <param name="time">When the run ended.</param>
    /// <param name="losses">What the records do not show.</param>
    public void Complete(TraceTime time, RunLosses losses = default)
    {
        DecisionLogFormat.WriteEnd(Next(), time, in losses);
        Flush();
    }

    Span<byte> Next()
    {
        if (_used == _buffer.Length)
        {
            _stream.Write(_buffer, 0, _used);
            _used = 0;
        }

        Span<byte> record = _buffer.AsSpan(_used, DecisionLogFormat.RecordBytes);
        _used += DecisionLogFormat.RecordBytes;
        return record;
    }
}
