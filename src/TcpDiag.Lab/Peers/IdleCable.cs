using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform;
using TcpDiag.Shim;
using TcpDiag.Shim.Bridge;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// A machine in the middle between two runs: passes every frame as it is, so that the ends reach each other. It gives way to the path of a run, which passes
/// what is not the run's, once that is there; for a moment both pass a frame, as they do at the end.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class IdleCable : IDisposable
{
    const int BufferBytes = 1 << 16;
    const long WaitNanos = 20_000_000;

    readonly BridgePort _port;
    readonly Thread _thread;
    volatile bool _stop;

    /// <summary>Begins to pass frames.</summary>
    /// <param name="near">The one interface.</param>
    /// <param name="far">The other.</param>
    /// <exception cref="PlatformException">The system refused.</exception>
    public IdleCable(string near, string far)
    {
        _port = new BridgePort(near, far);
        _thread = new Thread(Pass) { IsBackground = true, Name = "cable" };
        _thread.Start();
    }

    /// <summary>The cable of a machine in the middle.</summary>
    /// <param name="middle">Options of its shim.</param>
    /// <returns>The cable; null for a router, which forwards by itself, and for a machine that is in no middle.</returns>
    /// <exception cref="PlatformException">The system refused.</exception>
    public static IdleCable? Open(IReadOnlyList<string> middle) =>
        OperatingSystem.IsLinux() && middle is ["--bridge", var near, var far] ? new IdleCable(near, far) : null;

    /// <inheritdoc/>
    public void Dispose()
    {
        _stop = true;
        _thread.Join();
        _port.Dispose();
    }

    void Pass()
    {
        byte[] buffer = new byte[BufferBytes];
        try
        {
            while (!_stop)
            {
                int length;
                while ((length = _port.Receive(buffer, out PacketOrigin origin)) > 0)
                {
                    _port.Complete(buffer.AsSpan(0, length), in origin, isFirst: true);
                }

                _port.Wait(WaitNanos);
            }
        }
        catch (PlatformException)
        {
            // An interface went down: the next run cannot be emulated either, and says so.
        }
    }
}
