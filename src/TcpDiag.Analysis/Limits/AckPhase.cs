using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Whether data follows acknowledgments so closely that the capture was taken at its sender: the only thing that shows where a capture was taken that began
/// after the handshake, of a connection with data in one direction. Elsewhere an acknowledgment and the data it lets go are a way apart, and data comes
/// anywhere between two acknowledgments. The default value has seen nothing.
/// </summary>
struct AckPhase
{
    TraceTime _ack;
    uint _answerNanos; // to the first data after it, at most 4.2 s
    byte _near;
    byte _count;
    bool _hasAck;
    bool _hasData;

    /// <summary>Whether data followed most acknowledgments within the first part of the time to the next one.</summary>
    public readonly bool IsAtSender => _near >= Thresholds.MinPhases && _near >= Thresholds.NearShare * _count;

    /// <summary>Whether it has seen enough: what comes now changes nothing.</summary>
    public readonly bool IsDecided => _count == byte.MaxValue;

    /// <summary>Takes in an acknowledgment of new data.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAck(TraceTime now)
    {
        if (IsDecided)
        {
            return;
        }

        if (_hasData && now > _ack)
        {
            _count++;
            _near += (long)_answerNanos * Thresholds.NearPart <= now - _ack ? (byte)1 : (byte)0;
        }

        _ack = now;
        _hasAck = true;
        _hasData = false;
    }

    /// <summary>Takes in new data.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnData(TraceTime now)
    {
        if (_hasAck && !_hasData)
        {
            _answerNanos = (uint)System.Math.Clamp(now - _ack, 0, uint.MaxValue);
            _hasData = true;
        }
    }

    /// <summary>Takes in that something was resent, or not captured: what comes next answers nothing.</summary>
    public void Interrupt()
    {
        _hasAck = false;
        _hasData = false;
    }
}

/// <summary>The acknowledgments by which a sender is clocked.</summary>
struct AckClock
{
    /// <summary>Latest acknowledgment that let the sender send more.</summary>
    public TraceTime Last { get; private set; }

    /// <summary>Its timestamp; 0 without one.</summary>
    public uint TsVal { get; private set; }

    /// <summary>Whether it came since the latest send.</summary>
    public bool IsTicked { get; private set; }

    /// <summary>Whether the peer sent data since the latest send: what is sent next may answer it.</summary>
    public bool HasPeerSpoken { get; private set; }

    /// <summary>When half of what was in flight after the latest burst was acknowledged; valid when no more than that is in flight.</summary>
    public TraceTime Halved { get; private set; }

    /// <summary>Timestamp of the acknowledgment that did so; 0 without one.</summary>
    public uint HalvedTsVal { get; private set; }

    /// <summary>Takes in an acknowledgment that lets the sender send more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAck(TraceTime now, uint tsVal)
    {
        Last = now;
        TsVal = tsVal;
        IsTicked = true;
    }

    /// <summary>Takes in data of the peer.</summary>
    public void OnPeerData() => HasPeerSpoken = true;

    /// <summary>Takes in the acknowledgment of half of what was in flight.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnHalved(TraceTime now, uint tsVal)
    {
        Halved = now;
        HalvedTsVal = tsVal;
    }

    /// <summary>Takes in that what had answered an acknowledgment may have been lost before the capture point.</summary>
    public void ForgetHalved() => HalvedTsVal = 0;

    /// <summary>Takes in that a recovery ended: what follows is clocked.</summary>
    public void Tick() => IsTicked = true;

    /// <summary>Begins a new interval.</summary>
    public void BeginInterval()
    {
        IsTicked = false;
        HasPeerSpoken = false;
    }
}
