using System;
using System.Buffers.Binary;
using TcpDiag.Capture.Linux.Packets;

namespace TcpDiag.Capture.Tests.Linux.Packets;

/// <summary>Runs a classic BPF program on a frame as the kernel does (Documentation/networking/filter.rst), for the instructions we emit.</summary>
sealed class BpfMachine
{
    const int NetworkOffset = -0x100000;
    const int AncillaryOffset = -0x1000;

    public required byte[] Frame { get; init; }

    public int NetworkHeader { get; init; } = 14;

    public ushort Protocol { get; init; } = 0x0800;

    public ushort HardwareType { get; init; } = 1;

    public byte PacketType { get; init; }

    /// <summary>Runs the program.</summary>
    /// <returns>What it returns: bytes to keep; 0 as well when it reads beyond the frame.</returns>
    public uint Run(BpfInstruction[] program)
    {
        uint a = 0;
        uint x = 0;
        for (int at = 0; at < program.Length; at++)
        {
            (ushort code, byte jumpTrue, byte jumpFalse, uint k) = program[at];
            switch (code)
            {
                case 0x20 or 0x28 or 0x30 or 0x48:
                    int size = code switch { 0x20 => 4, 0x30 => 1, _ => 2 };
                    if (!TryLoad(unchecked((int)(k + (code == 0x48 ? x : 0))), size, out a))
                    {
                        return 0;
                    }

                    break;
                case 0x54: a &= k; break;
                case 0x64: a <<= (int)k; break;
                case 0x74: a >>= (int)k; break;
                case 0x07: x = a; break;
                case 0x01: x = k; break;
                case 0x05: at += (int)k; break;
                case 0x15: at += a == k ? jumpTrue : jumpFalse; break;
                case 0x25: at += a > k ? jumpTrue : jumpFalse; break;
                case 0x35: at += a >= k ? jumpTrue : jumpFalse; break;
                case 0x45: at += (a & k) != 0 ? jumpTrue : jumpFalse; break;
                case 0x06: return k;
                default: throw new InvalidOperationException($"unknown instruction 0x{code:x}");
            }
        }

        throw new InvalidOperationException("the program runs past its end");
    }

    bool TryLoad(int offset, int size, out uint value)
    {
        value = 0;
        if (offset is >= AncillaryOffset and < 0)
        {
            value = (offset - AncillaryOffset) switch { 0 => Protocol, 4 => PacketType, 28 => HardwareType, _ => throw new InvalidOperationException("unknown ancillary load") };
            return true;
        }

        int start = offset < 0 ? offset - NetworkOffset + NetworkHeader : offset;
        if (start > Frame.Length - size)
        {
            return false;
        }

        ReadOnlySpan<byte> bytes = Frame.AsSpan(start, size);
        value = size switch { 1 => bytes[0], 2 => BinaryPrimitives.ReadUInt16BigEndian(bytes), _ => BinaryPrimitives.ReadUInt32BigEndian(bytes) };
        return true;
    }
}
