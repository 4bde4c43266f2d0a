using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using TcpDiag.Impairment;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tun;

/// <summary>
/// A cable between two network namespaces: a TUN device at each end, and every packet between them goes through this process. <see
/// cref="LinkDirection.Out"/> is from the near to the far end. The devices vanish with the object, or with the process, however it ends.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class TunLink : IPacketPort
{
    const int Mtu = 1500;

    // The kernel drops what does not fit before it can be counted here; 10,000 packets are 1.2 s of 100 Mbit/s.
    const int QueueLength = 10_000;

    // Then the other end has its turn, so that a flood from one side does not starve the other.
    const int MaxInARow = 16;

    readonly TunDevice _near;
    readonly TunDevice _far;
    readonly PollDescriptor[] _polled = new PollDescriptor[2];
    LinkDirection _side;
    int _inARow;

    /// <summary>Makes both devices, gives them their addresses and brings them up.</summary>
    /// <param name="near">The near end.</param>
    /// <param name="far">The far end.</param>
    /// <exception cref="PlatformException">The system refused.</exception>
    public TunLink(TunEnd near, TunEnd far)
    {
        _near = Open(near);
        try
        {
            _far = Open(far);
        }
        catch (PlatformException)
        {
            _near.Dispose();
            throw;
        }

        _polled[0] = new PollDescriptor { Descriptor = _near.Descriptor, Events = PollDescriptor.PollIn };
        _polled[1] = new PollDescriptor { Descriptor = _far.Descriptor, Events = PollDescriptor.PollIn };
    }

    /// <inheritdoc/>
    public long Lost => _near.Lost + _far.Lost;

    /// <summary>Always 0: what the device's queue does not take is lost, never passed on.</summary>
    public long Bypassed => 0;

    /// <summary>Always null: the device counts what it loses.</summary>
    public string? Doubt => null;

    /// <summary>None.</summary>
    public IReadOnlyList<string> Notes => [];

    /// <inheritdoc/>
    public void Wait(long timeoutNanos)
    {
        if (Libc.Poll(_polled, 2, Timespec.FromNanos(Math.Max(0, timeoutNanos))) < 0 && Libc.LastError() != Errno.Interrupted)
        {
            throw PlatformException.FromLastError($"wait for {_near.Name} and {_far.Name}", "The devices were removed while in use.");
        }
    }

    /// <inheritdoc/>
    public int Receive(Span<byte> buffer, out PacketOrigin origin)
    {
        // Both ends, and the first once more when only its turn was over.
        int looks = _inARow < MaxInARow ? 2 : 3;
        for (int look = 0; look < looks; look++)
        {
            int length = _inARow < MaxInARow ? Source(_side).Read(buffer) : 0;
            if (length > 0)
            {
                _inARow++;
                origin = new PacketOrigin(_side);
                return length;
            }

            _side = _side == LinkDirection.Out ? LinkDirection.In : LinkDirection.Out;
            _inARow = 0;
        }

        origin = default;
        return 0;
    }

    /// <summary>Does nothing: a cable knows no processes.</summary>
    public void Attribute(ref PacketFacts facts)
    {
    }

    /// <summary>Does nothing: the kernel has calculated every checksum.</summary>
    public void Prepare(Span<byte> packet, ref PacketOrigin origin)
    {
    }

    /// <summary>Does nothing: the device counts what it loses at once.</summary>
    public void Finish()
    {
    }

    /// <inheritdoc/>
    public void Complete(ReadOnlySpan<byte> packet, in PacketOrigin origin, bool isFirst)
    {
        if (!packet.IsEmpty)
        {
            (origin.Direction == LinkDirection.Out ? _far : _near).Write(packet);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _near.Dispose();
        _far.Dispose();
    }

    TunDevice Source(LinkDirection direction) => direction == LinkDirection.Out ? _near : _far;

    static TunDevice Open(TunEnd end)
    {
        TunDevice? device = null;
        NetworkNamespace.Run(end.Namespace, () =>
        {
            device = TunDevice.Open(end.Device);
            InterfaceControl.SetLimits(end.Device, Mtu, QueueLength);
            Span<byte> address = stackalloc byte[16];
            address = address[..end.Address.Write(address)];
            if (end.Address.IsIpv4)
            {
                InterfaceControl.SetAddress(end.Device, address, end.PrefixBits);
                InterfaceControl.BringUp(end.Device);
            }
            else
            {
                // The route of an IPv6 address comes with a device that is up.
                InterfaceControl.BringUp(end.Device);
                InterfaceControl.SetAddress(end.Device, address, end.PrefixBits);
            }
        });
        return device!;
    }
}

/// <summary>One end of an emulated link.</summary>
/// <param name="Namespace">The network namespace it is in; empty for this process's own.</param>
/// <param name="Device">The name of the TUN device to make, 1 to 15 characters.</param>
/// <param name="Address">The device's address, IPv4 or IPv6.</param>
/// <param name="PrefixBits">The length of its network's prefix; both ends share the network.</param>
public sealed record TunEnd(string Namespace, string Device, IpAddress Address, int PrefixBits);
