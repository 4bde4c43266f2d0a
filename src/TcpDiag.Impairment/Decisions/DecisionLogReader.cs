using System;
using System.Buffers.Binary;
using System.Globalization;
using System.IO;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Decisions;

/// <summary>Reads a decision log record by record, in bounded memory. The stream stays open.</summary>
public sealed class DecisionLogReader
{
    const int BufferedRecords = 2048;

    readonly Stream _stream;
    readonly byte[] _buffer = new byte[BufferedRecords * DecisionLogFormat.RecordBytes];
    int _start;
    int _end;
    long _offset;

    /// <summary>Opens a log.</summary>
    /// <param name="stream">From its first byte on.</param>
    /// <exception cref="DecisionLogException">This is not a decision log, or one of a later version.</exception>
    public DecisionLogReader(Stream stream)
    {
        _stream = stream;
        Header = ReadHeader();
    }

    /// <summary>The run that the log belongs to.</summary>
    public DecisionLogHeader Header { get; }

    /// <summary>Whether the end record was read; false at the end of a truncated log.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>What the records do not show; known once the log is complete.</summary>
    public RunLosses Losses { get; private set; }

    /// <summary>Reads the next decision.</summary>
    /// <param name="decision">The decision.</param>
    /// <returns>False at the end.</returns>
    /// <exception cref="DecisionLogException">A record holds an action that does not exist.</exception>
    public bool TryRead(out ImpairmentDecision decision)
    {
        decision = default;
        if (IsComplete || (_end - _start < DecisionLogFormat.RecordBytes && !Fill()))
        {
            return false;
        }

        ReadOnlySpan<byte> record = _buffer.AsSpan(_start, DecisionLogFormat.RecordBytes);
        decision = DecisionLogFormat.ReadRecord(record);
        byte action = record[DecisionLogFormat.ActionOffset];
        if (action == DecisionLogFormat.EndAction)
        {
            IsComplete = true;
            Losses = DecisionLogFormat.ReadEnd(record);
            decision = default;
            return false;
        }

        if (action is 0 or >= ImpairmentActions.Count)
        {
            throw new DecisionLogException(_offset + DecisionLogFormat.ActionOffset, "an action from 1 to 15", action.ToString(CultureInfo.InvariantCulture));
        }

        _start += DecisionLogFormat.RecordBytes;
        _offset += DecisionLogFormat.RecordBytes;
        return true;
    }

    DecisionLogHeader ReadHeader()
    {
        byte[] head = new byte[DecisionLogFormat.HeaderBytes];
        int read = _stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        if (read < head.Length || !head.AsSpan().StartsWith(DecisionLogFormat.Magic))
        {
            throw new DecisionLogException(0, "the 40-byte header beginning with TDIMPAIR", "something else");
        }

        Expect(8, DecisionLogFormat.Version, BinaryPrimitives.ReadUInt16LittleEndian(head.AsSpan(8)), "version");
        Expect(10, DecisionLogFormat.RecordBytes, BinaryPrimitives.ReadUInt16LittleEndian(head.AsSpan(10)), "a record length of");
        int length = BinaryPrimitives.ReadInt32LittleEndian(head.AsSpan(12));
        if (length is < 0 or > DecisionLogFormat.MaxProfileBytes)
        {
            throw new DecisionLogException(12, "a profile of at most 65536 bytes", length.ToString(CultureInfo.InvariantCulture));
        }

        byte[] profile = new byte[length];
        if (_stream.ReadAtLeast(profile, length, throwOnEndOfStream: false) < length)
        {
            throw new DecisionLogException(head.Length, "the profile", "the end of the file");
        }

        _offset = head.Length + length;
        return new DecisionLogHeader(
            new TraceTime(BinaryPrimitives.ReadInt64LittleEndian(head.AsSpan(16))),
            BinaryPrimitives.ReadUInt64LittleEndian(head.AsSpan(24)),
            BinaryPrimitives.ReadInt64LittleEndian(head.AsSpan(32)),
            Encoding.UTF8.GetString(profile));
    }

    bool Fill()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _start = 0;
        _end += _stream.ReadAtLeast(_buffer.AsSpan(_end), DecisionLogFormat.RecordBytes - _end, throwOnEndOfStream: false);
        return _end >= DecisionLogFormat.RecordBytes;
    }

    static void Expect(long offset, int expected, int found, string what)
    {
        if (found != expected)
        {
            string should = string.Create(CultureInfo.InvariantCulture, $"{what} {expected}");
            throw new DecisionLogException(offset, should, found.ToString(CultureInfo.InvariantCulture));
        }
    }
}
