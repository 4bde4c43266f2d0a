using System;
using System.Buffers.Binary;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text;
using TcpDiag.Lab.Matrix;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Lab.Flows;

/// <summary>
/// Sockets of the two programs: opened in a namespace, their options set and read back. A socket stays in the namespace of the thread that opened it.
/// </summary>
static class FlowSocket
{
    // <asm-generic/socket.h>; the FORCE forms are not bound by net.core.*mem_max.
    const int SolSocket = 1;
    const int SendBuffer = 7;
    const int ReceiveBuffer = 8;
    const int SendBufferForce = 32;
    const int ReceiveBufferForce = 33;
    const int MaxPacingRate = 47;

    const int BitsPerByte = 8;

    // <linux/tcp.h>
    const int SolTcp = 6;
    const int TcpInfo = 11;
    const int TcpCongestion = 13;

    const int InfoBytes = 512;

    /// <summary>Opens a TCP socket in a namespace.</summary>
    public static Socket Open(string networkNamespace, bool isIpv6)
    {
        AddressFamily family = isIpv6 ? AddressFamily.InterNetworkV6 : AddressFamily.InterNetwork;
        if (!OperatingSystem.IsLinux())
        {
            return new Socket(family, SocketType.Stream, ProtocolType.Tcp);
        }

        Socket? socket = null;
        NetworkNamespace.Run(networkNamespace, () => socket = new Socket(family, SocketType.Stream, ProtocolType.Tcp));
        return socket!;
    }

    /// <summary>Sets the congestion control; the setting of a whole namespace is refused to all but the first.</summary>
    /// <exception cref="LabException">This kernel does not have it, or keeps it for root (net.ipv4.tcp_allowed_congestion_control).</exception>
    public static void SetCongestion(Socket socket, string name)
    {
        if (name is FlowSettings.SystemCongestion)
        {
            return;
        }

        if (OperatingSystem.IsWindows())
        {
            WindowsFlowSocket.RequireCongestion(name);
            return;
        }

        Set(
            socket,
            SolTcp,
            TcpCongestion,
            Encoding.ASCII.GetBytes(name),
            $"congestion control {name}: not to be had; modprobe tcp_{name}, or root where net.ipv4.tcp_allowed_congestion_control lacks it, may help");
        Span<byte> found = stackalloc byte[16];
        int length = socket.GetRawSocketOption(SolTcp, TcpCongestion, found);
        string text = Encoding.ASCII.GetString(found[..length]).TrimEnd('\0');
        if (!string.Equals(text, name, StringComparison.Ordinal))
        {
            throw new LabException($"congestion control: set to {name}, but the kernel has {text}.");
        }
    }

    /// <summary>Sets SO_SNDBUF.</summary>
    public static void SetSendBuffer(Socket socket, int? bytes) => SetBuffer(socket, SendBufferForce, SendBuffer, bytes, "SO_SNDBUF");

    /// <summary>Sets SO_RCVBUF.</summary>
    public static void SetReceiveBuffer(Socket socket, int? bytes) => SetBuffer(socket, ReceiveBufferForce, ReceiveBuffer, bytes, "SO_RCVBUF");

    /// <summary>Sets SO_MAX_PACING_RATE, with which the stack itself spaces out segments.</summary>
    /// <exception cref="LabException">The kernel has another rate.</exception>
    public static void SetPacing(Socket socket, long? bitsPerSecond)
    {
        if (bitsPerSecond is not { } rate)
        {
            return;
        }

        if (!OperatingSystem.IsLinux())
        {
            throw new LabException("pacing: only Linux spaces out the segments of a socket.");
        }

        byte[] value = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(value, rate / BitsPerByte);
        Set(socket, SolSocket, MaxPacingRate, value, $"SO_MAX_PACING_RATE {rate / BitsPerByte}");
        byte[] found = new byte[sizeof(long)];
        socket.GetRawSocketOption(SolSocket, MaxPacingRate, found);
        if (!value.AsSpan().SequenceEqual(found))
        {
            throw new LabException($"SO_MAX_PACING_RATE: set to {rate / BitsPerByte}, but the kernel has {BinaryPrimitives.ReadInt64LittleEndian(found)}.");
        }
    }

    /// <summary>Whether a call failed because the connection, or the time for it, ended; any other reason is a fault of this program.</summary>
    public static bool IsEnd(SocketException reason) => reason.SocketErrorCode
        is SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.Shutdown or SocketError.TimedOut or SocketError.WouldBlock;

    /// <summary>Ends both directions, whatever waits for them, and has the connection reset when it is closed; what it counted can be read until
    /// then.</summary>
    public static void ShutDown(Socket socket)
    {
        try
        {
            // Closed by a reset then. After a FIN alone an end that sends would wait at a window of zero, until the kernel here has forgotten the connection.
            socket.LingerState = new LingerOption(enable: true, seconds: 0);
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (SocketException)
        {
            // It has ended by itself.
        }
    }

    /// <summary>SO_SNDBUF as the kernel has it, bytes.</summary>
    public static int ReadSendBuffer(Socket socket) => OperatingSystem.IsWindows() ? socket.SendBufferSize : ReadInt(socket, SendBuffer);

    /// <summary>SO_RCVBUF as the kernel has it, bytes.</summary>
    public static int ReadReceiveBuffer(Socket socket) => OperatingSystem.IsWindows() ? socket.ReceiveBufferSize : ReadInt(socket, ReceiveBuffer);

    /// <summary>What the kernel counted of the connection.</summary>
    public static KernelCounters ReadCounters(Socket socket)
    {
        if (OperatingSystem.IsWindows())
        {
            return WindowsFlowSocket.ReadCounters(socket);
        }

        Span<byte> info = stackalloc byte[InfoBytes];
        int length = socket.GetRawSocketOption(SolTcp, TcpInfo, info);
        return KernelCounters.Read(info[..length]);
    }

    // The kernel doubles the number, for its own bookkeeping (socket(7)).
    static void SetBuffer(Socket socket, int force, int option, int? bytes, string name)
    {
        if (bytes is not { } asked)
        {
            return;
        }

        if (OperatingSystem.IsWindows())
        {
            WindowsFlowSocket.SetBuffer(socket, isSend: option == SendBuffer, asked, name);
            return;
        }

        byte[] value = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(value, asked);
        Set(socket, SolSocket, force, value, $"{name} {asked}: run as root");
        int found = ReadInt(socket, option);
        if (found != 2 * asked)
        {
            throw new LabException($"{name}: set to {asked}, which the kernel doubles, but it has {found}.");
        }
    }

    static int ReadInt(Socket socket, int option)
    {
        Span<byte> value = stackalloc byte[sizeof(int)];
        socket.GetRawSocketOption(SolSocket, option, value);
        return BinaryPrimitives.ReadInt32LittleEndian(value);
    }

    static void Set(Socket socket, int level, int option, byte[] value, string what)
    {
        try
        {
            socket.SetRawSocketOption(level, option, value);
        }
        catch (SocketException refused)
        {
            throw new LabException($"{what} ({refused.Message}).");
        }
    }
}

/// <summary>What Windows lets a program set and read of a TCP socket.</summary>
[SupportedOSPlatform("windows")]
static class WindowsFlowSocket
{
    // SIO_TCP_INFO (mstcpip.h): _WSAIORW(IOC_VENDOR, 39); Windows 10 1703 and later. The input is the version of the structure.
    const int TcpInfo = unchecked((int)0xD800_0027);
    const int InfoVersion = 0;

    /// <summary>
    /// Takes a name only if it is what Windows uses by default: it has one congestion control for a template of connections, none for a socket.
    /// </summary>
    /// <exception cref="LabException">Another was asked for.</exception>
    public static void RequireCongestion(string name)
    {
        if (name is not "cubic")
        {
            throw new LabException($"congestion control {name}: Windows sets it for all connections (netsh int tcp set supplemental), not for one.");
        }
    }

    /// <summary>Sets a buffer and reads it back.</summary>
    /// <exception cref="LabException">It did not take.</exception>
    public static void SetBuffer(Socket socket, bool isSend, int bytes, string name)
    {
        SocketOptionName option = isSend ? SocketOptionName.SendBuffer : SocketOptionName.ReceiveBuffer;
        socket.SetSocketOption(SocketOptionLevel.Socket, option, bytes);
        int found = (int)socket.GetSocketOption(SocketOptionLevel.Socket, option)!;
        if (found != bytes)
        {
            throw new LabException(FormattableString.Invariant($"{name}: set to {bytes}, but the system has {found}."));
        }
    }

    /// <summary>What the system counted of the connection.</summary>
    /// <returns>The counters; all null where the system counts nothing.</returns>
    public static KernelCounters ReadCounters(Socket socket)
    {
        byte[] info = new byte[KernelCounters.WindowsBytes];
        try
        {
            int length = socket.IOControl(TcpInfo, BitConverter.GetBytes(InfoVersion), info);
            return length < info.Length ? new KernelCounters() : KernelCounters.ReadWindows(info);
        }
        catch (SocketException)
        {
            // Before Windows 10 1703, and under Wine.
            return new KernelCounters();
        }
    }
}
