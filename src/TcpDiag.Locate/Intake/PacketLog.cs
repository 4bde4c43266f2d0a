using System;
using System.Collections.Generic;
using System.Numerics;

namespace TcpDiag.Locate.Intake;

/// <summary>The packets of one connection at one point, in the order of capture. Chunks grow to 256 kB and are never copied.</summary>
sealed class PacketLog
{
    const int FirstBits = 3; // the first chunk has 8 packets: most connections are short
    const int LastBits = 13;
    const int Grown = LastBits - FirstBits; // chunks before the first of full size
    const int InGrown = (1 << LastBits) - (1 << FirstBits);

    readonly List<SeenPacket[]> _chunks = [];

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>One of them.</summary>
    /// <param name="index">0 … <see cref="Count"/> − 1.</param>
    public ref readonly SeenPacket this[int index] => ref Find(index);

    /// <summary>Appends one.</summary>
    public void Add(in SeenPacket packet)
    {
        (int chunk, _) = Place(Count);
        if (chunk == _chunks.Count)
        {
            _chunks.Add(new SeenPacket[1 << Math.Min(FirstBits + chunk, LastBits)]);
        }

        Find(Count) = packet;
        Count++;
    }

    ref SeenPacket Find(int index)
    {
        (int chunk, int offset) = Place(index);
        return ref _chunks[chunk][offset];
    }

    static (int Chunk, int Offset) Place(int index)
    {
        if (index >= InGrown)
        {
            return (Grown + ((index - InGrown) >> LastBits), (index - InGrown) & ((1 << LastBits) - 1));
        }

        int shifted = index + (1 << FirstBits);
        int bits = BitOperations.Log2((uint)shifted);
        return (bits - FirstBits, shifted - (1 << bits));
    }
}
