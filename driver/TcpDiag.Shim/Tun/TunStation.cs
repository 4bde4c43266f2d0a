using System;
using System.Runtime.Versioning;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Tun;

/// <summary>
/// A host of our own behind a TUN device: the system sends it what is addressed to the device's network, and it answers by itself. Device, address and route
/// vanish with the object, or with the process, however it ends.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class TunStation : IDisposable
{
    const int Mtu = 1500;
    const int QueueLength = 1000; // packets; more than any flight of one connection here

    readonly TunDevice _device;
    readonly PollDescriptor[] _polled = new PollDescriptor[1];

    /// <summary>Makes the device in this process's network namespace, gives it an address and brings it up.</summary>
    /// <param name="device">Its name, 1 to 15 characters.</param>
    /// <param name="address">The address of this machine on it.</param>
    /// <param name="prefixBits">Length of the prefix of its network, in which the host of our own is.</param>
    /// <exception cref="PlatformException">The system refused.</exception>
    public TunStation(string device, IpAddress address, int prefixBits)
    {
        _device = TunDevice.Open(device);
        try
        {
            SetUp(device, address, prefixBits);
        }
        catch (PlatformException)
        {
            _device.Dispose();
            throw;
        }

        _polled[0] = new PollDescriptor { Descriptor = _device.Descriptor, Events = PollDescriptor.PollIn };
    }

    /// <summary>Packets that the device's queue did not take, or the system did not take back.</summary>
    public long Lost => _device.Lost;

    /// <summary>Gives the calling thread the means to wake on time.</summary>
    /// <returns>False where the system does not allow it.</returns>
    public static bool TakePriority() => RealTimePriority.TryTake();

    /// <summary>Waits until a packet can be received, without spinning.</summary>
    /// <param name="timeoutNanos">The longest wait, ns; 0 or less does not wait.</param>
    /// <exception cref="PlatformException">The device is gone.</exception>
    public void Wait(long timeoutNanos)
    {
        if (Libc.Poll(_polled, 1, Timespec.FromNanos(Math.Max(0, timeoutNanos))) < 0 && Libc.LastError() != Errno.Interrupted)
        {
            throw PlatformException.FromLastError($"wait for {_device.Name}", "The device was removed while in use.");
        }
    }

    /// <summary>Receives an IP packet.</summary>
    /// <param name="buffer">Room for 1500 bytes.</param>
    /// <returns>Its length in bytes; 0 when there is none.</returns>
    /// <exception cref="PlatformException">The device is gone.</exception>
    public int Receive(Span<byte> buffer) => _device.Read(buffer);

    /// <summary>Sends an IP packet; one that the system does not take is counted.</summary>
    /// <param name="packet">The packet.</param>
    public void Send(ReadOnlySpan<byte> packet) => _device.Write(packet);

    /// <inheritdoc/>
    public void Dispose() => _device.Dispose();

    static void SetUp(string device, IpAddress address, int prefixBits)
    {
        InterfaceControl.SetLimits(device, Mtu, QueueLength);
        Span<byte> bytes = stackalloc byte[16];
        bytes = bytes[..address.Write(bytes)];
        if (address.IsIpv4)
        {
            InterfaceControl.SetAddress(device, bytes, prefixBits);
        }

        InterfaceControl.BringUp(device);
        if (!address.IsIpv4)
        {
            InterfaceControl.SetAddress(device, bytes, prefixBits); // the route of an IPv6 address comes with a device that is up
        }
    }
}
