using System;
using System.Threading;

namespace TcpDiag.Traces.Input;

/// <summary>
/// Fills the next buffer on a second thread while the caller parses the current one: the copy out of the page cache, or
/// the decompression, costs the parser nothing. At most one request is under way.
/// </summary>
sealed class ReadAhead
{
    const int PatienceMilliseconds = 1000;

    readonly TraceInput _input;
    readonly bool _isLive;
    readonly Thread _thread;

    // Guards the fields below; pulsed at every change of _phase.
    readonly object _gate = new();
    Phase _phase;
    Memory<byte> _target;
    int _count;

    /// <summary>Starts the thread.</summary>
    /// <param name="input">Read by that thread only from now on; not closed here.</param>
    /// <param name="isLive">Whether to hand on what is there instead of filling what was asked for.</param>
    public ReadAhead(TraceInput input, bool isLive)
    {
        _input = input;
        _isLive = isLive;
        _thread = new Thread(Run) { IsBackground = true, Name = "tcpdiag read-ahead" };
        _thread.Start();
    }

    enum Phase
    {
        Idle,
        Requested,
        Filled,
        Stopped,
    }

    /// <summary>Asks for the next bytes.</summary>
    /// <param name="target">Written until <see cref="Take"/> returns.</param>
    public void Request(Memory<byte> target)
    {
        lock (_gate)
        {
            _target = target;
            Enter(Phase.Requested);
        }
    }

    /// <summary>Waits for what was asked for.</summary>
    /// <returns>Bytes read, fewer than asked for only at the end; of a live input, 0 only at the end.</returns>
    public int Take()
    {
        lock (_gate)
        {
            while (_phase == Phase.Requested)
            {
                Monitor.Wait(_gate);
            }

            _phase = Phase.Idle;
            return _count;
        }
    }

    /// <summary>Stops the thread. A read of a file ends soon; one of a pipe may never end.</summary>
    /// <returns>False when a read is still under way: the thread then keeps input and target until the process ends.</returns>
    public bool TryStop()
    {
        lock (_gate)
        {
            if (_phase == Phase.Requested && !Monitor.Wait(_gate, PatienceMilliseconds))
            {
                return false;
            }

            Enter(Phase.Stopped);
        }

        _thread.Join();
        return true;
    }

    void Run()
    {
        while (WaitForRequest())
        {
            int count = _isLive ? _input.ReadSome(_target.Span) : _input.Read(_target.Span);
            lock (_gate)
            {
                _count = count;
                Enter(Phase.Filled);
            }
        }
    }

    bool WaitForRequest()
    {
        lock (_gate)
        {
            while (_phase is Phase.Idle or Phase.Filled)
            {
                Monitor.Wait(_gate);
            }

            return _phase == Phase.Requested;
        }
    }

    void Enter(Phase phase)
    {
        _phase = phase;
        Monitor.PulseAll(_gate);
    }
}
