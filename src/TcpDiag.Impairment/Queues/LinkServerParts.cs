using System;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Rates;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Queues;

/// <summary>What a <see cref="LinkServer"/> is made of.</summary>
/// <param name="CreateQueue">Creates the queue for whoever hears its events.</param>
/// <param name="Link">The rate.</param>
/// <param name="Overhead">What the link layer adds.</param>
/// <param name="Limit">The depth of the queue.</param>
/// <param name="MarkAt">The depth from which ECN-capable packets are marked on arrival.</param>
/// <param name="Cross">Other traffic; null for none.</param>
sealed record LinkServerParts(
    Func<IQueueEvents, IQueueDiscipline> CreateQueue, ILinkRate Link, LinkOverhead Overhead, QueueLimit Limit, QueueLimit MarkAt, CrossTraffic? Cross);
