using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Sender;

namespace TcpDiag.Analysis.Limits;

// What acknowledgments show of the rate at which data gets through.
partial struct SenderLimits
{
    /// <summary>
    /// Takes in an acknowledgment of data outside of recoveries. A sender with a few segments in flight shows no rate of the path: for most short connections
    /// nothing has to be kept.
    /// </summary>
    /// <param name="segment">The acknowledgment.</param>
    /// <param name="sample">Its round trip, nanoseconds; 0 without one.</param>
    /// <param name="rates">Where room is taken from.</param>
    public void OnDelivered(in Segment segment, uint sample, StructPool<DeliveryRate> rates)
    {
        if (segment.Ack.Advance > 0 && !Path.IsKnown)
        {
            Phase.OnAck(segment.Time);
        }

        if (!Rate.IsAny)
        {
            if (InFlight < Thresholds.MinTrainSegments * _mss)
            {
                return;
            }

            Rate = rates.Take();
        }

        ref DeliveryRate rate = ref Rate.Value;
        rate.OnDelivered(segment.Time, segment.Ack.Delivered, InFlight, _mss, new(SrttNanos, _minRttNanos, sample));
        if (rate.Bucket.IsAny || segment.Ack.Sack.NewBytes > 0)
        {
            OnPassed(ref rate, segment, isRecovering: false);
        }
    }

    /// <summary>
    /// Takes in an acknowledgment during a recovery, or of data that was not captured. It covers what had arrived before: only with SACK it is known what did
    /// by then.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void OnDisturbed(bool hasSack, in Segment segment)
    {
        Phase.Interrupt();
        if (!Rate.IsAny)
        {
            return;
        }

        ref DeliveryRate rate = ref Rate.Value;
        if (segment.Ack.Unseen == 0)
        {
            rate.OnRecovery();
        }

        if (segment.Ack.Unseen > 0 || !hasSack)
        {
            rate.Interrupt();
            if (rate.Bucket.IsAny)
            {
                rate.Bucket.Value.Interrupt();
            }
        }
        else if (segment.Ack.Delivered > 0)
        {
            rate.OnDeliveredInRecovery(segment.Time, segment.Ack.Delivered, _mss, new(SrttNanos, _minRttNanos, SampleNanos: 0));
            OnPassed(ref rate, segment, isRecovering: true);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    readonly void OnPassed(ref DeliveryRate rate, in Segment segment, bool isRecovering)
    {
        rate.Bucket = rate.Bucket.IsAny ? rate.Bucket : _timeline.Extras.Buckets.Take();
        rate.Bucket.Value.OnDelivered(segment.Time, segment.Ack.Delivered, segment.Ack.Sack.NewBytes > 0, isRecovering);
    }

    // What was taken beside the rate.
    readonly void ReturnRates()
    {
        if (Rate.IsAny && !_isCopy)
        {
            _timeline.Extras.FullWindows.Return(ref Rate.Value.FullWindow);
            _timeline.Extras.Buckets.Return(ref Rate.Value.Bucket);
        }
    }
}
