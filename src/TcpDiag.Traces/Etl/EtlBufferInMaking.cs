using System;

namespace TcpDiag.Traces.Etl;

/// <summary>A buffer that is being filled for one processor; its header is written last.</summary>
/// <param name="size">Session buffer size.</param>
/// <param name="processor">The processor.</param>
sealed class EtlBufferInMaking(int size, ushort processor)
{
    readonly byte[] _data = new byte[size];

    internal ushort Processor => processor;

    /// <summary>End of the records, header included.</summary>
    internal int Filled { get; private set; } = EtlBufferHeader.Length;

    /// <summary>Highest time stamp in it.</summary>
    internal long LastTicks { get; private set; } = long.MinValue;

    internal bool IsEmpty => Filled == EtlBufferHeader.Length;

    /// <summary>The whole buffer.</summary>
    internal Span<byte> Data => _data;

    internal bool HasRoom(int length) => Filled + EtlRecordLayout.Align8(length) <= _data.Length;

    internal void Append(ReadOnlySpan<byte> record)
    {
        LastTicks = Math.Max(LastTicks, EtlRecordLayout.ReadTicks(record, LastTicks));
        record.CopyTo(_data.AsSpan(Filled));
        int end = Filled + EtlRecordLayout.Align8(record.Length);
        _data.AsSpan(Filled + record.Length, end - Filled - record.Length).Clear();
        Filled = end;
    }

    internal void Clear()
    {
        Filled = EtlBufferHeader.Length;
        LastTicks = long.MinValue;
    }
}
