using System;
using System.Collections.Generic;
using TcpDiag.Impairment;
using TcpDiag.Platform;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim;

/// <summary>
/// Where packets are taken from the system and given back to it; one backend per way of diverting. Used by one thread. Every packet received is to be completed
/// exactly once with <c>isFirst</c>, and any number of times without for its copies.
/// </summary>
public interface IPacketPort : IDisposable
{
    /// <summary>
    /// Packets the system lost on the way here or did not take back, which no decision log knows of: with more than none of them a run is void.
    /// Read by another thread, a few times in a run.
    /// </summary>
    long Lost { get; }

    /// <summary>Packets that went their way without being emulated because this process did not keep up: they void a run too. Read by another thread.</summary>
    long Bypassed { get; }

    /// <summary>
    /// Why the system may have lost packets without counting them, as a sentence; null where it counts, or there is no sign of it. A doubt voids a
    /// run. Read by another thread.
    /// </summary>
    string? Doubt { get; }

    /// <summary>What the user should know of this port on this machine, in whole sentences.</summary>
    IReadOnlyList<string> Notes { get; }

    /// <summary>Waits until a packet can be received, without spinning.</summary>
    /// <param name="timeoutNanos">The longest wait in nanoseconds; 0 or less does not wait.</param>
    /// <exception cref="ShimException">The system refused.</exception>
    void Wait(long timeoutNanos);

    /// <summary>Receives a packet if there is one.</summary>
    /// <param name="buffer">Where to put it, at least 65535 bytes or the port's MTU.</param>
    /// <param name="origin">What to hand back with it.</param>
    /// <returns>The length of the IP packet in bytes; 0 when there is none.</returns>
    /// <exception cref="ShimException">The system refused.</exception>
    int Receive(Span<byte> buffer, out PacketOrigin origin);

    /// <summary>Adds the process a packet comes from or goes to, where the system knows it; called only for a match that names one.</summary>
    /// <param name="facts">The packet; left as it is where the process is not known.</param>
    void Attribute(ref PacketFacts facts);

    /// <summary>Makes a packet whole before its bytes are changed: calculates checksums that the system left to the hardware.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="origin">What it was received with.</param>
    void Prepare(Span<byte> packet, ref PacketOrigin origin);

    /// <summary>
    /// Says that the run ends: where the port can it takes in nothing more. What waits is received until there is nothing left, and the counts are
    /// final then.
    /// </summary>
    /// <exception cref="ShimException">The system refused.</exception>
    void Finish();

    /// <summary>Sends a packet on its way, or drops it.</summary>
    /// <param name="packet">The bytes to send; empty drops the packet.</param>
    /// <param name="origin">What it was received with.</param>
    /// <param name="isFirst">False for a copy of a packet already completed.</param>
    void Complete(ReadOnlySpan<byte> packet, in PacketOrigin origin, bool isFirst);
}

/// <summary>What a port remembers of a packet it handed out, so that it can take it back.</summary>
/// <param name="Direction">Which way the packet goes.</param>
/// <param name="Id">The port's own number for it; 0 where it needs none.</param>
/// <param name="Interface">The port's own number for the interface it came from or goes to; 0 where it needs none.</param>
/// <param name="Tag">What else the port remembers; 0 where it needs nothing.</param>
public readonly record struct PacketOrigin(LinkDirection Direction, uint Id = 0, ulong Interface = 0, uint Tag = 0);

/// <summary>Packets cannot be diverted on this machine: what was tried, what the system answered, and what helps.</summary>
public sealed class ShimException : PlatformException
{
    /// <inheritdoc/>
    public ShimException(string action, int code, string answer, string cure)
        : base(action, code, answer, cure)
    {
    }

    /// <inheritdoc/>
    public ShimException(string message)
        : base(message)
    {
    }
}
