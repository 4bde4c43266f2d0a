using System;
using System.Buffers.Binary;
using System.Globalization;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Finds the blocks of a pcapng file: checks their lengths, follows the byte order from section to section, and steps over
/// damage to the next place at which a block of a known type ends with the length it begins with.
/// </summary>
sealed class PcapngBlockScanner(InputWindow window, ProblemLog problems)
{
    /// <summary>Bytes of an empty block: type, length, and the length again.</summary>
    public const int MinBlockBytes = 12;

    /// <summary>Bytes of the length that ends a block.</summary>
    public const int TrailerBytes = 4;

    const uint ByteOrderMagic = 0x1A2B_3C4D;

    // While looking for the next block, larger ones are not believed; packets have at most 256 KiB.
    const int MaxResyncBytes = 256 << 10;

    bool _isBigEndian;
    bool _isEnded;

    /// <summary>Whether bytes begin like a pcapng file.</summary>
    /// <param name="head">The first bytes of a file.</param>
    /// <returns>True for block type and byte-order magic of a Section Header Block.</returns>
    public static bool IsSectionHeader(ReadOnlySpan<byte> head) =>
        head.Length >= MinBlockBytes
        && BinaryPrimitives.ReadUInt32LittleEndian(head) == (uint)PcapngBlockType.SectionHeader
        && (BinaryPrimitives.ReadUInt32LittleEndian(head[8..]) == ByteOrderMagic || BinaryPrimitives.ReadUInt32BigEndian(head[8..]) == ByteOrderMagic);

    /// <summary>Makes the next block available as a whole and brings it into little-endian order in place. It is not stepped over.</summary>
    /// <param name="block">The whole block, the first bytes of what the window has available.</param>
    public bool TryFind(out Span<byte> block)
    {
        block = default;
        while (!_isEnded)
        {
            uint length = 0;
            string? problem = null;
            if (!window.TryFill(MinBlockBytes))
            {
                End(window.Available.IsEmpty ? 0U : MinBlockBytes);
            }
            else if ((length = ReadLength()) > InputWindow.MaxBytes)
            {
                SkipLarge(length);
            }
            else if (length < MinBlockBytes || (length & 3) != 0)
            {
                problem = string.Create(
                    CultureInfo.InvariantCulture, $"expected a block length of at least {MinBlockBytes} and divisible by 4, found {length}");
            }
            else if (!window.TryFill((int)length))
            {
                End(length);
            }
            else if (ReadUInt32(window.Available[(int)(length - TrailerBytes)..]) is var trailer && trailer != length)
            {
                problem = string.Create(CultureInfo.InvariantCulture, $"expected the block to end with its length {length}, found {trailer}");
            }
            else
            {
                block = window.Available[..(int)length];
                if (_isBigEndian)
                {
                    PcapngByteOrder.ToLittleEndian(block);
                }

                return true;
            }

            if (problem is not null)
            {
                Resync(problem);
            }
        }

        return false;
    }

    // Also takes over the byte order that a new section begins with.
    uint ReadLength()
    {
        Span<byte> start = window.Available;
        if (BinaryPrimitives.ReadUInt32LittleEndian(start) == (uint)PcapngBlockType.SectionHeader)
        {
            _isBigEndian = BinaryPrimitives.ReadUInt32BigEndian(start[8..]) == ByteOrderMagic;
        }

        return ReadUInt32(start[4..]);
    }

    void End(uint expected)
    {
        _isEnded = true;
        if (expected > 0)
        {
            problems.Add(window.Offset, string.Create(
                CultureInfo.InvariantCulture,
                $"expected a block of at least {expected} bytes, found {window.Available.Length} bytes and the end of the file: it is truncated"));
            window.Advance(window.Available.Length);
        }

        if (window.Damage is { } damage)
        {
            problems.Add(window.Offset, damage);
        }
    }

    void SkipLarge(uint length)
    {
        problems.Add(window.Offset, string.Create(
            CultureInfo.InvariantCulture,
            $"expected a block of at most {InputWindow.MaxBytes} bytes, "
            + $"found one of type 0x{ReadUInt32(window.Available):x} with {length} bytes; it is skipped"));
        if (!window.TrySkip(length))
        {
            End(0);
        }
    }

    void Resync(string problem)
    {
        long from = window.Offset;
        bool isFound = false;
        while (!isFound && window.TrySkip(sizeof(uint)) && window.TryFill(MinBlockBytes))
        {
            isFound = IsBlock();
        }

        if (problems.IsOpen)
        {
            problems.Add(from, string.Create(
                CultureInfo.InvariantCulture,
                $"{problem}; {(isFound ? $"reading goes on {window.Offset - from} bytes later" : "nothing readable behind it")}"));
        }

        if (!isFound)
        {
            window.Advance(window.Available.Length);
        }
    }

    bool IsBlock()
    {
        if (IsSectionHeader(window.Available))
        {
            return true;
        }

        var type = (PcapngBlockType)ReadUInt32(window.Available);
        uint length = ReadUInt32(window.Available[4..]);
        return type is (>= PcapngBlockType.InterfaceDescription and <= PcapngBlockType.DecryptionSecrets)
            or PcapngBlockType.Custom or PcapngBlockType.CustomNoCopy
            && length is >= MinBlockBytes and <= MaxResyncBytes
            && (length & 3) == 0
            && window.TryFill((int)length)
            && ReadUInt32(window.Available[(int)(length - TrailerBytes)..]) == length;
    }

    uint ReadUInt32(ReadOnlySpan<byte> bytes) =>
        _isBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);
}
