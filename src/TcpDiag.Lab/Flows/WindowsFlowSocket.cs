using System;
using System.Net.Sockets;
using System.Runtime.Versioning;

namespace TcpDiag.Lab.Flows;

/// <summary>What Windows lets a program set and read of a TCP socket.</summary>
[SupportedOSPlatform("windows")]
static class WindowsFlowSocket
{
    // SIO_TCP_INFO (mstcpip.h): _WSAIORW(IOC_VENDOR, 39); Windows 10 1703 and later. The input is the version of the structure.
    const int TcpInfo = unchecked((int)0xD800_0027);
    const int InfoVersion = 0;

    /// <summary>Takes a name only if it is what Windows uses by default: it has one congestion control for a template of connections, none for a socket.</summary>
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

    /// <summary>The system's account of the connection.</summary>
    /// <param name="socket">An open connection.</param>
    /// <returns>The counters; all null where the system has no such account.</returns>
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
