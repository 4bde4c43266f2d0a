using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using System.Threading;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Shim.Tun;

/// <summary>
/// A TUN device (Documentation/networking/tuntap.rst of the kernel): what the system sends through it can be read here, what is written here arrives there. The
/// device lives in the namespace it was opened in, and as long as the object.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class TunDevice : IDisposable
{
    const string Path = "/dev/net/tun";
    const nuint SetInterface = 0x4004_54CA; // TUNSETIFF
    const short Tun = 0x0001;               // IFF_TUN
    const short NoPacketInfo = 0x1000;      // IFF_NO_PI

    // The column of /proc/net/dev that counts what did not fit into the device's queue.
    const int TransmitDropColumn = 12;

    readonly FileDescriptor _handle;
    readonly ProcTable _statistics = new("dev");
    readonly byte[] _row;
    long _refused;

    TunDevice(FileDescriptor handle, string name)
    {
        _handle = handle;
        Name = name;
        _row = Encoding.ASCII.GetBytes(name);
    }

    public string Name { get; }

    /// <summary>The descriptor, for waiting.</summary>
    public int Descriptor => _handle.Number;

    /// <summary>Packets that did not fit into the device's queue, or that the system did not take back, e.g. because the device is down.</summary>
    public long Lost => _statistics.Read(_row, TransmitDropColumn) + Volatile.Read(ref _refused);

    /// <summary>Makes a device in the calling thread's namespace.</summary>
    /// <exception cref="PlatformException">The system refused.</exception>
    public static TunDevice Open(string name)
    {
        FileDescriptor handle = Libc.Open(Path, Libc.ReadWrite | Libc.NonBlocking | Libc.CloseOnExec);
        if (handle.IsInvalid)
        {
            throw PlatformException.FromLastError($"open {Path}", "Run as root, with the tun module loaded: modprobe tun");
        }

        Span<byte> request = InterfaceControl.Request(stackalloc byte[InterfaceControl.RequestBytes], name);
        MemoryMarshal.Write(request[InterfaceControl.NameBytes..], (short)(Tun | NoPacketInfo));
        if (Libc.Control(handle, SetInterface, request) != 0)
        {
            PlatformException refused = PlatformException.FromLastError($"make the device {name}", "Run as root; a device of that name must not be in use.");
            handle.Dispose();
            throw refused;
        }

        return new TunDevice(handle, name);
    }

    /// <summary>Reads a packet.</summary>
    /// <returns>Its length; 0 when there is none.</returns>
    /// <exception cref="PlatformException">The device is gone.</exception>
    public int Read(Span<byte> buffer)
    {
        nint length = Libc.Read(_handle, buffer, buffer.Length);
        if (length >= 0)
        {
            return (int)length;
        }

        return Libc.LastError() is Errno.TryAgain or Errno.Interrupted
            ? 0
            : throw PlatformException.FromLastError($"read from {Name}", "The device or its namespace was removed while in use.");
    }

    /// <summary>Writes a packet; one that the system does not take is counted, as a wire would lose it.</summary>
    public void Write(ReadOnlySpan<byte> packet)
    {
        if (Libc.Write(_handle, packet, packet.Length) != packet.Length)
        {
            Volatile.Write(ref _refused, _refused + 1);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _statistics.Dispose();
        _handle.Dispose();
    }
}
