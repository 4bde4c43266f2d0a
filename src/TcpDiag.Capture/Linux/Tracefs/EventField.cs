using System;
using System.Buffers.Binary;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>One field of a tracepoint as its <c>format</c> file places it.</summary>
/// <param name="Name">Name, e.g. <c>snd_cwnd</c>.</param>
/// <param name="Offset">First byte within the event.</param>
/// <param name="Size">Bytes; of all elements where it is an array.</param>
/// <param name="IsSigned">Whether the sign bit counts.</param>
sealed record EventField(string Name, int Offset, int Size, bool IsSigned)
{
    /// <summary>The bytes of the field.</summary>
    /// <param name="data">The event.</param>
    /// <returns>The bytes; empty when the event ends before the field does.</returns>
    public ReadOnlySpan<byte> Slice(ReadOnlySpan<byte> data) =>
        Offset <= data.Length && Size <= data.Length - Offset ? data.Slice(Offset, Size) : [];

    /// <summary>The field as a number.</summary>
    /// <param name="data">The event.</param>
    /// <param name="value">Its value; pointers and 64-bit counters keep their bits.</param>
    /// <returns>False when the field is no number, or the event ends before it.</returns>
    public bool TryRead(ReadOnlySpan<byte> data, out long value)
    {
        ReadOnlySpan<byte> bytes = Slice(data);
        value = bytes.Length switch
        {
            1 => IsSigned ? (sbyte)bytes[0] : bytes[0],
            2 => IsSigned ? BinaryPrimitives.ReadInt16LittleEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes),
            4 => IsSigned ? BinaryPrimitives.ReadInt32LittleEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes),
            8 => BinaryPrimitives.ReadInt64LittleEndian(bytes),
            _ => 0,
        };
        return bytes.Length is 1 or 2 or 4 or 8;
    }
}
