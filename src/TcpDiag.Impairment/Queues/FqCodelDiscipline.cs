using System;
using System.Runtime.InteropServices;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Queues;

/// <summary>
/// FQ-CoDel (RFC 8290 §4): 1024 queues by flow hash; those that have just become active take their turn before the others, each for a quantum of bytes, and
/// each is controlled by CoDel. When the whole is full, the longest queue loses packets from its head.
/// </summary>
sealed class FqCodelDiscipline(FqCodelSettings settings, QueueLimit limit, IQueueEvents events) : IQueueDiscipline
{
    // RFC 8290 §5.2.1 and §5.2.5: defaults.
    const int Flows = 1024;
    const int Quantum = 1514;

    // RFC 8290 §4.1.1: half of the longest queue is dropped at once, at most so many packets.
    const int LargestBatch = 64;
    const int None = -1;

    readonly CodelParameters _parameters = new(settings.TargetNanos, settings.IntervalNanos, settings.MarksEcn);
    readonly Flow[] _flows = new Flow[Flows];
    FlowList _new = FlowList.Empty;
    FlowList _old = FlowList.Empty;
    long _bytes;

    /// <inheritdoc/>
    public int Packets { get; private set; }

    /// <inheritdoc/>
    public void Enqueue(ref LinkPacket packet, TraceTime now)
    {
        int index = (int)(packet.FlowHash & (Flows - 1));
        ref Flow flow = ref _flows[index];
        flow.Queue ??= new CodelQueue(_parameters, events);
        flow.Queue.Add(in packet);
        Packets++;
        _bytes += packet.LengthBytes;
        if (!flow.IsActive)
        {
            flow.IsActive = true;
            flow.Credits = Quantum;
            Append(ref _new, index);
        }

        while (Packets > 1 && (Packets > limit.Packets || _bytes > limit.Bytes))
        {
            DropFromLongest(now);
        }
    }

    /// <inheritdoc/>
    public bool TryDequeue(TraceTime now, out LinkPacket packet)
    {
        while (true)
        {
            bool isNew = _new.Head != None;
            int index = isNew ? _new.Head : _old.Head;
            if (index == None)
            {
                packet = default;
                return false;
            }

            ref Flow flow = ref _flows[index];
            if (flow.Credits <= 0)
            {
                flow.Credits += Quantum;
                RemoveHead(isNew);
                Append(ref _old, index);
            }
            else if (TryTake(flow.Queue!, now, out packet))
            {
                flow.Credits -= packet.LengthBytes;
                return true;
            }
            else
            {
                Retire(index, isNew);
            }
        }
    }

    // RFC 8290 §4.2: a new queue that ran empty waits once among the old ones, lest it starve them by becoming new again and again.
    void Retire(int index, bool isNew)
    {
        RemoveHead(isNew);
        if (isNew)
        {
            Append(ref _old, index);
        }
        else
        {
            _flows[index].IsActive = false;
        }
    }

    // CoDel may drop packets meanwhile.
    bool TryTake(CodelQueue queue, TraceTime now, out LinkPacket packet)
    {
        (int packets, long bytes) = (queue.Packets, queue.Bytes);
        bool found = queue.TryDequeue(now, out packet);
        Packets -= packets - queue.Packets;
        _bytes -= bytes - queue.Bytes;
        return found;
    }

    void DropFromLongest(TraceTime now)
    {
        CodelQueue longest = FindLongest();
        (int packets, long bytes) = (longest.Packets, longest.Bytes);
        int drops = Math.Clamp(packets / 2, 1, LargestBatch);
        for (int i = 0; i < drops; i++)
        {
            longest.DropHead(now);
        }

        Packets -= packets - longest.Packets;
        _bytes -= bytes - longest.Bytes;
    }

    CodelQueue FindLongest()
    {
        CodelQueue? longest = null;
        foreach (ref readonly Flow flow in _flows.AsSpan())
        {
            longest = flow.Queue is { } queue && queue.Bytes > (longest?.Bytes ?? 0) ? queue : longest;
        }

        return longest!;
    }

    void Append(ref FlowList list, int index)
    {
        _flows[index].Next = None;
        if (list.Head == None)
        {
            list.Head = index;
        }
        else
        {
            _flows[list.Tail].Next = index;
        }

        list.Tail = index;
    }

    void RemoveHead(bool isNew)
    {
        ref FlowList list = ref isNew ? ref _new : ref _old;
        list.Head = _flows[list.Head].Next;
    }

    [StructLayout(LayoutKind.Auto)]
    struct Flow
    {
        public CodelQueue? Queue;
        public long Credits;
        public int Next;
        public bool IsActive;
    }

    [StructLayout(LayoutKind.Auto)]
    struct FlowList
    {
        public static readonly FlowList Empty = new() { Head = None, Tail = None };

        public int Head;
        public int Tail;
    }
}
