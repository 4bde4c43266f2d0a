using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>The timer of a SYN or FIN: 1 s, doubled each time (RFC 6298 §2.1, §5.5).</summary>
sealed class ControlTimer
{
    const long FirstNanos = 1_000_000_000;
    const int MaxTries = 6;

    int _tries;

    /// <summary>When it was sent first.</summary>
    public TraceTime Sent { get; private set; }

    /// <summary>When it is sent again; <see cref="TraceTime.Latest"/> when it is not.</summary>
    public TraceTime Due { get; private set; } = TraceTime.Latest;

    /// <summary>Whether it was sent once only: its answer gives a sample (RFC 6298 §3).</summary>
    public bool IsFirst => _tries <= 1;

    /// <summary>Whether it waits for an answer.</summary>
    public bool IsRunning => Due < TraceTime.Latest;

    /// <summary>How often it was sent again.</summary>
    public int Timeouts => int.Max(_tries - 1, 0);

    /// <summary>It is sent.</summary>
    public void Start(TraceTime now)
    {
        Sent = _tries == 0 ? now : Sent;
        _tries++;
        Due = _tries < MaxTries ? now + (FirstNanos << (_tries - 1)) : TraceTime.Latest;
    }

    /// <summary>It was answered.</summary>
    public void Stop() => Due = TraceTime.Latest;

    /// <summary>Whether it has to be sent again now; counts it as sent.</summary>
    public bool IsDue(TraceTime now)
    {
        if (now < Due)
        {
            return false;
        }

        Start(now);
        return true;
    }
}
