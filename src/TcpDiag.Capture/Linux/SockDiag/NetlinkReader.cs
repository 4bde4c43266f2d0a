using System;
using System.Buffers.Binary;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>Walks over the messages of one netlink datagram (netlink(7), RFC 3549 §2.2), in the machine's byte order. A length that does not fit ends the walk.</summary>
/// <param name="datagram">The datagram.</param>
ref struct NetlinkReader(ReadOnlySpan<byte> datagram)
{
    /// <summary>Bytes of struct nlmsghdr.</summary>
    public const int HeaderLength = 16;

    /// <summary>A negative error number, then the header of the request.</summary>
    public const ushort TypeError = 2;

    /// <summary>The end of a dump.</summary>
    public const ushort TypeDone = 3;

    const int Alignment = 4;

    readonly ReadOnlySpan<byte> _datagram = datagram;
    int _offset;

    /// <summary>Type of the message read last.</summary>
    public ushort Type { get; private set; }

    /// <summary>Number of the request it answers.</summary>
    public uint Sequence { get; private set; }

    /// <summary>Reads the next message.</summary>
    /// <param name="payload">What follows its header.</param>
    /// <returns>False behind the last.</returns>
    public bool TryRead(out ReadOnlySpan<byte> payload)
    {
        payload = default;
        if (_offset > _datagram.Length - HeaderLength)
        {
            return false;
        }

        ReadOnlySpan<byte> rest = _datagram[_offset..];
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(rest);
        if (length < HeaderLength || length > rest.Length)
        {
            return false;
        }

        Type = BinaryPrimitives.ReadUInt16LittleEndian(rest[4..]);
        Sequence = BinaryPrimitives.ReadUInt32LittleEndian(rest[8..]);
        payload = rest[HeaderLength..(int)length];
        _offset += ((int)length + Alignment - 1) & ~(Alignment - 1);
        return true;
    }
}
