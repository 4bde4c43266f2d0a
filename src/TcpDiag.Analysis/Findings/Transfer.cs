using System;
using TcpDiag.Analysis.Findings.Rules;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>Data of one direction, enough of it to measure what the path delivers. Rates in bits per second, sizes in bytes.</summary>
readonly record struct Transfer(
    int Connection,
    ushort Port,
    TraceTime From,
    TraceTime To,
    long Bytes,
    double BurstBitsPerSecond,
    double BestBitsPerSecond,
    long QueueNanos,
    int MaxInFlight,
    bool IsPathFull)
{
    public double BitsPerSecond => Bytes * 8e9 / (To - From);

    public static Transfer? Of(in DirectionSubject subject) =>
        subject.Direction is { Delivery: { } delivery, FirstData: { } begin, ActiveTime: > 0 and var time, Rtt: var rtt } direction
            ? new(
                subject.Connection.Index,
                subject.Connection.Server.Port,
                begin,
                begin + time,
                direction.UniqueBytes,
                delivery.BurstBitsPerSecond ?? 0,
                delivery.BestBitsPerSecond ?? 0,
                BufferbloatRule.IsTheCause(subject) ? rtt.Median - rtt.Min : 0,
                direction.MaxInFlightBytes ?? 0,
                HasFilledPath(subject, delivery))
            : null;

    // Slow start included, it got most of what the path gives, as its own queue shows it, or bursts at the receiver, where no queue can be seen.
    static bool HasFilledPath(in DirectionSubject subject, DeliverySummary delivery) => subject.IsPathFull
        || ((subject.IsAtReceiver ? delivery.BurstBitsPerSecond : delivery.IsOwnQueue ? delivery.PathFullBitsPerSecond : null) is { } rate
            && subject.Direction.GoodputBitsPerSecond >= Thresholds.FullShare * Math.Max(rate, delivery.BestBitsPerSecond ?? 0));

    /// <summary>The part of a time in which it went on, 0 … 1.</summary>
    public double ShareOf(TraceTime from, TraceTime to) => Overlap.ShareOf(From, To, from, to);
}

/// <summary>Requests and answers of one connection. Time: what its client waited for answers, nanoseconds.</summary>
readonly record struct Conversation(int Connection, TraceTime From, TraceTime To, long Time, int Count)
{
    /// <summary>What it waited in the queue that a transfer fills, nanoseconds: each request as long as that adds to the transfer's round trip.</summary>
    public long WaitIn(in Transfer transfer) => transfer.Connection == Connection
        ? 0
        : Math.Min(Time, (long)(Overlap.ShareOf(transfer.From, transfer.To, From, To) * Count * transfer.QueueNanos));
}

/// <summary>What two times have in common.</summary>
static class Overlap
{
    /// <summary>The part of a time, or instant, that another one covers, 0 … 1.</summary>
    public static double ShareOf(TraceTime from, TraceTime to, TraceTime ofFrom, TraceTime ofTo)
    {
        if (ofTo <= ofFrom)
        {
            return from <= ofFrom && ofFrom <= to ? 1 : 0;
        }

        long covered = (to < ofTo ? to : ofTo) - (from > ofFrom ? from : ofFrom);
        return Math.Max((double)covered / (ofTo - ofFrom), 0);
    }
}
