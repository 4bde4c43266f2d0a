using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// The IPv4 identifications of one sender's packets. Many stacks count them per connection (Linux does), so that behind the path a number
/// left out is a packet lost, lost retransmissions and lost tails included, and a number that comes twice is a copy the path made.
/// RFC 6864 promises none of this: numbers left out in the middle of an undisturbed stream show a counter that others share.
/// </summary>
struct IpIdSequence
{
    const int WindowBits = 64;

    ulong _seen; // bit n: _highest − n came
    uint _span; // numbers from the first to the highest, those left out included
    uint _received; // as wire segments
    uint _foreign; // numbers left out that no loss explains
    ushort _highest;
    bool _isStarted;
    byte _jumps; // by more numbers than a path loses at once; no more than can be counted

    /// <summary>Packets sent: numbers from the first to the highest, those of others left out.</summary>
    public readonly long Sent => (long)_span - _foreign;

    /// <summary>Packets the path lost.</summary>
    public readonly long Lost => Math.Max((long)_span - _received - _foreign, 0);

    /// <summary>Whether the numbers are this connection's own.</summary>
    public readonly bool IsOwnCounter => _received > 1 && (_foreign + _jumps) * (long)Thresholds.PacketsPerForeignIpId <= _received;

    /// <summary>The identification to compare a packet by; 0 when it has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort Of(in ParsedPacket packet) => (packet.Traits & PacketTraits.IsIpv6) != 0 ? (ushort)0 : (ushort)packet.IpId;

    /// <summary>
    /// Takes in a packet whose number follows that of the packet before, so that nothing was lost and nothing is out of order, or one without a number.
    /// </summary>
    /// <param name="id">Its identification; of an offloaded segment, that of the first wire segment.</param>
    /// <param name="segments">Wire segments it stands for, at least 1.</param>
    /// <returns>False for any other number, which <see cref="Take"/> takes in.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTakeNext(ushort id, int segments)
    {
        if (_isStarted && id == (ushort)(_highest + 1))
        {
            Advance(0, segments);
            return true;
        }

        return id == 0 && !_isStarted; // none given so far
    }

    /// <summary>The identification of the next packet, where nothing is lost.</summary>
    /// <param name="id">The identification; 0 without any.</param>
    /// <returns>Whether they count packets so far; else all are 0.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryGetNext(out ushort id)
    {
        id = (ushort)(_isStarted ? _highest + 1 : 0);
        return _isStarted;
    }

    /// <summary>Takes in a packet with any other number.</summary>
    /// <param name="id">Its identification; of an offloaded segment, that of the first wire segment.</param>
    /// <param name="previous">Identification of the packet before, for the first one taken in; 0 when there was none.</param>
    /// <param name="segments">Wire segments it stands for, at least 1.</param>
    /// <param name="isDisturbed">Whether a packet may have been lost before it.</param>
    /// <param name="leftOut">Numbers left out right before it: packets that were lost, or overtaken.</param>
    /// <returns>True when the number came before: a copy.</returns>
    public bool Take(ushort id, ushort previous, int segments, bool isDisturbed, out int leftOut)
    {
        int step = (short)(id - _highest);
        leftOut = 0;
        if (!_isStarted)
        {
            _isStarted = id != 0; // 0: none given
            step = previous == 0 ? 1 : (short)(id - previous);
            step = Math.Abs(step) > Thresholds.MaxIpIdStep ? 1 : step;
            _highest = (ushort)(id - step);
        }

        if (!_isStarted || Math.Abs(step) > Thresholds.MaxIpIdStep)
        {
            _jumps += (byte)(_isStarted && id != 0 && _jumps < byte.MaxValue ? 1 : 0); // without a connection stacks answer by number 0
            return false;
        }

        if (step > 0)
        {
            leftOut = step - 1;
            _foreign += isDisturbed ? 0 : (uint)leftOut;
            Advance(leftOut, segments);
            return false;
        }

        ulong bit = -step < WindowBits ? 1UL << -step : 0;
        bool isCopy = (_seen & bit) != 0;
        _received += isCopy ? 0 : (uint)segments;
        _seen |= bit;
        _span = Math.Max(_span, (uint)(1 - step)); // the first that came had overtaken it
        return isCopy;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Advance(int leftOut, int segments)
    {
        int numbers = leftOut + segments;
        ulong seen = leftOut < WindowBits ? _seen << leftOut : 0;
        _seen = segments < WindowBits ? ~(~seen << segments) : ulong.MaxValue;
        _highest = (ushort)(_highest + numbers);
        _span += (uint)numbers;
        _received += (uint)segments;
    }
}

/// <summary>When a segment was sent, as its headers show it: which of two was sent first, however the path changed their order.</summary>
/// <param name="TsVal">TSval; 0 without timestamps.</param>
/// <param name="IpId">IPv4 identification; 0 without one.</param>
readonly record struct SendStamp(uint TsVal, ushort IpId)
{
    /// <summary>The stamp of a packet.</summary>
    public static SendStamp Of(in ParsedPacket packet) => new(packet.Options.TsVal, IpIdSequence.Of(packet));

    /// <summary>Compares by TSval, where that is the same by IPv4 identification.</summary>
    /// <returns>Negative when this was sent first, positive when the other was, 0 when nothing shows.</returns>
    public int OrderTo(in SendStamp other)
    {
        if (TsVal != 0 && other.TsVal != 0 && TsVal != other.TsVal)
        {
            return unchecked((int)(TsVal - other.TsVal));
        }

        int step = IpId == 0 || other.IpId == 0 ? 0 : (short)(IpId - other.IpId);
        return Math.Abs(step) < Thresholds.MaxIpIdStep ? step : 0;
    }
}
