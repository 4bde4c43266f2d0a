using System;
using System.Globalization;
using System.Threading;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Suspects losses in the driver's queue, which drops its oldest packet when it is full, and any packet that has waited too long, and counts neither.
/// The queue is measured from what comes out of it: at some instant a mark is set, and the packets received later that were taken before the mark are
/// what was queued then; when the first one younger than the mark arrives, the next mark is set.
/// <para>
/// Half of each limit is the threshold, and no overflow passes below it. When the queue overflows, it holds packets older than the current mark and
/// packets younger: one part is at least half of the limit. The older part is counted in full at this mark, the younger at the next, because none of
/// it is received in between. A packet that is dropped for its age was behind another, or alone: either the other was older than half of the limit
/// when it was received, or nothing was received for that long.
/// </para>
/// </summary>
/// <param name="frequency">Ticks of a second, of the driver's clock and ours.</param>
/// <param name="maxPackets">Packets the queue holds.</param>
/// <param name="maxBytes">Bytes it holds.</param>
/// <param name="maxAge">How long a packet may wait.</param>
sealed class DriverQueueWatch(long frequency, int maxPackets, long maxBytes, TimeSpan maxAge)
{
    // What the driver counts for a packet besides its bytes: a structure of its own, less than this.
    const int OverheadBytes = 256;

    const int Share = 2;

    readonly long _maxTicks = (long)(maxAge.TotalSeconds * frequency) / Share;
    long _mark = long.MinValue;
    long _packets;
    long _bytes;
    long _left = long.MinValue;
    string? _doubt;

    /// <summary>Why packets may have been lost, as a sentence; null without a doubt. Read by any thread.</summary>
    public string? Doubt => Volatile.Read(ref _doubt);

    /// <summary>Says that a receiving call begins.</summary>
    /// <param name="now">The time in ticks.</param>
    public void OnCall(long now)
    {
        if (_left != long.MinValue && now - _left > _maxTicks)
        {
            Suspect($"nothing was taken from it for {Seconds(now - _left)}");
        }
    }

    /// <summary>Says that one has returned.</summary>
    /// <param name="addresses">What it brought.</param>
    /// <param name="lengthBytes">Bytes of all packets.</param>
    /// <param name="now">The time in ticks.</param>
    public void OnBatch(ReadOnlySpan<DivertAddress> addresses, int lengthBytes, long now)
    {
        _left = now;
        int old = 0;
        foreach (ref readonly DivertAddress address in addresses)
        {
            old += address.Timestamp <= _mark ? 1 : 0;
            if (now - address.Timestamp > _maxTicks)
            {
                Suspect($"a packet had waited there for {Seconds(now - address.Timestamp)}");
            }
        }

        _packets += old;
        _bytes += old == 0 ? 0 : lengthBytes + ((long)old * OverheadBytes);
        if (_packets > maxPackets / Share || _bytes > maxBytes / Share)
        {
            Suspect(string.Create(CultureInfo.InvariantCulture, $"{_packets} packets and {_bytes} bytes were found in it"));
        }

        if (old < addresses.Length)
        {
            (_mark, _packets, _bytes) = (now, 0, 0);
        }
    }

    // The first doubt is kept: later ones follow from it.
    void Suspect(string observation)
    {
        if (_doubt is null)
        {
            Volatile.Write(
                ref _doubt,
                $"The run is void: WinDivert's own queue was so full that it may have dropped packets, which it does not count ({observation}). "
                    + "Lower the load, or narrow the match.");
        }
    }

    string Seconds(long ticks) => string.Create(CultureInfo.InvariantCulture, $"{(double)ticks / frequency:F1} s");
}
