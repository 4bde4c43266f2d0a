using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>What is booked at one place: invariant of an account in use, its time is more than none.</summary>
struct PlaceAccount
{
    /// <summary>The place.</summary>
    public LimitPlace Place;

    /// <summary>Time booked there, nanoseconds.</summary>
    public long Time;

    /// <summary>The longest time without interruption.</summary>
    public Run Longest;

    /// <summary>A time without interruption.</summary>
    public struct Run
    {
        /// <summary>Its beginning.</summary>
        public TraceTime From;

        /// <summary>Its end.</summary>
        public TraceTime To;

        /// <summary>Number of the frame with which it began.</summary>
        public long Packet;

        /// <summary>The longer one of two runs.</summary>
        /// <param name="known">The one, which it is where both are of one length.</param>
        /// <param name="other">The other.</param>
        /// <returns>One of both.</returns>
        public static Run Longer(in Run known, in Run other) => other.To - other.From > known.To - known.From ? other : known;
    }
}
