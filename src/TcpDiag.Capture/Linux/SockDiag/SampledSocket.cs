using System;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>A socket that is sampled.</summary>
sealed class SampledSocket
{
    readonly byte[] _socketId = new byte[InetDiagRequest.SocketIdLength];

    /// <summary>Its own end.</summary>
    public required Endpoint Local { get; init; }

    /// <summary>The peer's end.</summary>
    public required Endpoint Remote { get; init; }

    /// <summary>Its address family; changes when the kernel tells that an IPv4 connection lies in an IPv6 socket.</summary>
    public byte Family { get; private set; }

    /// <summary>struct inet_diag_sockid.</summary>
    public ReadOnlySpan<byte> SocketId => _socketId;

    /// <summary>Largest payload of a segment sent, bytes; 0 before the first sample.</summary>
    public uint Mss { get; set; }

    /// <summary>Inode, by which its process is found; 0 before the first sample.</summary>
    public uint Inode { get; set; }

    /// <summary>Its process; null when not (yet) known.</summary>
    public uint? ProcessId { get; set; }

    /// <summary>Whether its first event was given out.</summary>
    public bool IsAnnounced { get; set; }

    /// <summary>Takes the identification from an answer of the kernel.</summary>
    /// <param name="family">Address family.</param>
    /// <param name="socketId">struct inet_diag_sockid.</param>
    public void Identify(byte family, ReadOnlySpan<byte> socketId)
    {
        Family = family;
        socketId.CopyTo(_socketId);
    }

    /// <summary>Makes the identification from the ends alone.</summary>
    public void Identify() => Family = InetDiagRequest.WriteSocketId(_socketId, Local, Remote);
}
