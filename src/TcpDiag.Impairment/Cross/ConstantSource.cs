using System;
using TcpDiag.Impairment.Rates;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Cross;

/// <summary>Packets at a constant rate: a token bucket's departures, exact to the byte.</summary>
sealed class ConstantSource : ICrossSource
{
    readonly TokenBucket _pace;
    readonly TraceTime _end;
    long _sent;
    long _delivered;
    long _dropped;

    public ConstantSource(ConstantCross settings, TraceTime start)
    {
        Next = start + settings.StartNanos;
        _end = new TraceTime(Math.Min(long.MaxValue - Next.Nanoseconds, settings.LengthNanos) + Next.Nanoseconds);
        _pace = new TokenBucket(settings.RateBitsPerSecond, 0);
    }

    /// <inheritdoc/>
    public CrossReport Report => new("cbr", _delivered, _dropped);

    /// <inheritdoc/>
    public TraceTime Next { get; private set; }

    /// <inheritdoc/>
    public bool TrySend(TraceTime now, out long id)
    {
        id = _sent + 1;
        if (now < Next)
        {
            return false;
        }

        _sent++;
        TraceTime next = _pace.Take(Next, CrossTraffic.PacketBytes);
        Next = next < _end ? next : TraceTime.Latest;
        return true;
    }

    /// <inheritdoc/>
    public void OnDelivered(long id, int lengthBytes, TraceTime now) => _delivered += lengthBytes;

    /// <inheritdoc/>
    public void OnDrop(long id) => _dropped++;
}
