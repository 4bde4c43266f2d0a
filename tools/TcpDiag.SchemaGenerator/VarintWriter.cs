using System;
using System.IO;

namespace TcpDiag.SchemaGenerator;

/// <summary>Writes numbers of seven bits a byte, low bits first, the top bit set on all but the last.</summary>
sealed class VarintWriter
{
    readonly MemoryStream _bytes = new();

    public void Write(ReadOnlySpan<byte> bytes) => _bytes.Write(bytes);

    public void Write(int value) => Write((ulong)value);

    public void Write(ulong value)
    {
        while (value >= 0x80)
        {
            _bytes.WriteByte((byte)(value | 0x80));
            value >>= 7;
        }

        _bytes.WriteByte((byte)value);
    }

    public byte[] ToArray() => _bytes.ToArray();
}
