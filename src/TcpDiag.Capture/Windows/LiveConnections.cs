using System;
using System.ComponentModel;
using System.Diagnostics;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Watching;

namespace TcpDiag.Capture.Windows;

/// <summary>The connections of this machine from a real-time session with the TCP stack's events.</summary>
static class LiveConnections
{
    /// <summary>Begins, and ends sessions of others that were killed: Windows has room for 64.</summary>
    /// <param name="machine">The machine.</param>
    /// <returns>The connections; the session ends with them.</returns>
    /// <exception cref="CaptureException">Windows refuses the session.</exception>
    public static EventConnections Open(ICaptureMachine machine)
    {
        OrphanSessions.Stop(machine);
        var connections = new EventConnections(NameOf, TimeProvider.System);
        connections.Session = machine.Listen(connections);
        return connections;
    }

    static string? NameOf(uint processId)
    {
        try
        {
            using var process = Process.GetProcessById((int)processId);
            return process.ProcessName;
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException or Win32Exception)
        {
            // It has ended, or is not ours to look at.
            return null;
        }
    }
}
