using System;

namespace TcpDiag.Testing;

/// <summary>
/// Damages bytes in the ways files get damaged: cut, bits flipped, lengths inflated, blocks swapped, repeated or
/// overwritten. The same seed damages in the same way.
/// </summary>
/// <param name="seed">Seed of this series.</param>
public sealed class Mutator(int seed)
{
    // Values at which readers tend to break: nothing, one, sign changes, the largest.
    static readonly uint[] Awkward = [0, 1, 7, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, 0xFFFF_FFFF];

    readonly Random _random = new(seed);

    /// <summary>Damages a copy in one to four ways.</summary>
    public byte[] Mutate(ReadOnlySpan<byte> original)
    {
        byte[] bytes = original.ToArray();
        for (int rounds = _random.Next(1, 5); rounds > 0 && bytes.Length > 0; rounds--)
        {
            bytes = MutateOnce(bytes);
        }

        return bytes;
    }

    byte[] MutateOnce(byte[] bytes)
    {
        switch (_random.Next(8))
        {
            case 0:
                return bytes[.._random.Next(bytes.Length)];
            case 1:
            case 2:
                bytes[_random.Next(bytes.Length)] ^= (byte)(1 << _random.Next(8));
                return bytes;
            case 3:
                WriteAwkward(bytes, sizeof(ushort));
                return bytes;
            case 4:
                WriteAwkward(bytes, sizeof(uint));
                return bytes;
            case 5:
                Swap(bytes);
                return bytes;
            case 6:
                return Repeat(bytes);
            default:
                Span(bytes).Fill((byte)_random.Next(256));
                return bytes;
        }
    }

    void WriteAwkward(byte[] bytes, int size)
    {
        byte[] value = BitConverter.GetBytes(Awkward[_random.Next(Awkward.Length)])[..size];
        if (_random.Next(4) == 0)
        {
            Array.Reverse(value);
        }

        // Length fields are mostly aligned.
        int offset = _random.Next(bytes.Length) & ~1;
        value.AsSpan(0, Math.Min(size, bytes.Length - offset)).CopyTo(bytes.AsSpan(offset));
    }

    void Swap(byte[] bytes)
    {
        int length = _random.Next(1, Math.Max(2, bytes.Length / 4));
        int first = _random.Next(bytes.Length - length + 1);
        int second = _random.Next(bytes.Length - length + 1);
        byte[] kept = bytes.AsSpan(first, length).ToArray();
        bytes.AsSpan(second, length).CopyTo(bytes.AsSpan(first));
        kept.CopyTo(bytes.AsSpan(second));
    }

    byte[] Repeat(byte[] bytes)
    {
        Span<byte> part = Span(bytes);
        int at = _random.Next(bytes.Length + 1);
        return [.. bytes.AsSpan(0, at), .. part, .. bytes.AsSpan(at)];
    }

    Span<byte> Span(byte[] bytes)
    {
        int start = _random.Next(bytes.Length);
        return bytes.AsSpan(start, _random.Next(1, Math.Min(bytes.Length - start, 256) + 1));
    }
}
