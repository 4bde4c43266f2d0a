using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Receiver;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// All TCP connections of a trace, told apart by 4-tuple and initial sequence number. A connection that has ended and
/// fallen silent is folded into its compact result, so the running state is that of the open connections only;
/// what still comes for a folded one is added to its packet and byte counts.
/// </summary>
sealed class ConnectionTable : IFlowKeys
{
    const long Linger = 2_000_000_000; // ns of silence after the end: late packets and resent FINs still count in full
    const int Elsewhere = int.MinValue; // in place of a number: the connection is of another part

    readonly AnalysisOptions _options;
    readonly ConnectionPart _part;
    readonly IDirectionObserver _observer;
    readonly FlowIndex _index;
    readonly StructPool<ConnectionState> _states = new();
    readonly Stack<int> _freeStates = new();
    readonly SegmentProcessor _segments;
    readonly List<Connection> _folded = [];
    readonly Queue<Ended> _ended = new();
    FlowKey _lastKey;
    int _lastState = -1;
    Pooled<ConnectionState> _last; // that of _lastState
    int _lastFrom;
    int _count;
    TraceTime _now;
    TraceTime _latest;

    /// <summary>Makes a table.</summary>
    /// <param name="seed">Keys the hash of the 4-tuples; does not change any result.</param>
    /// <param name="options">What is given beside the trace.</param>
    /// <param name="observer">Follows the connections in time.</param>
    /// <param name="evidence">What senders' stacks named beside the packets; null when nothing.</param>
    public ConnectionTable(ulong seed, AnalysisOptions options, IDirectionObserver observer, ISenderEvidence? evidence = null)
    {
        _options = options;
        _part = options.Part;
        _observer = observer;
        _index = new FlowIndex(seed, this);
        _segments = new SegmentProcessor(observer, evidence);
    }

    /// <summary>Connections whose running state is held.</summary>
    public int Held => _states.Count - _freeStates.Count;

    /// <summary>Connections met so far.</summary>
    public int Count => _count;

    /// <summary>Judges whether time passed in a silence of the whole trace.</summary>
    /// <param name="packet">A segment behind it, not taken in yet.</param>
    /// <param name="begin">When the silence began.</param>
    /// <param name="silence">How long it was by the recording clock, nanoseconds.</param>
    /// <returns>True when no time passed, false when it did, null when this segment does not show it.</returns>
    public bool? HasStoodStill(in ParsedPacket packet, TraceTime begin, long silence)
    {
        FlowKey key = FlowKey.Of(packet, out bool isFromHigh);
        return HeldOf(key) is >= 0 and { } state ? ClockEvidence.HasStoodStill(_states[state].Value, isFromHigh ? 1 : 0, packet, begin, silence) : null;
    }

    /// <summary>Whether a segment acknowledges data that was recorded after it.</summary>
    /// <param name="packet">A segment, not taken in yet.</param>
    /// <param name="time">When it was recorded.</param>
    /// <param name="minNanos">By how much the data has to be later, nanoseconds.</param>
    /// <returns>True when the recording clock was set back in between.</returns>
    public bool IsBeforeItsData(in ParsedPacket packet, TraceTime time, long minNanos)
    {
        FlowKey key = FlowKey.Of(packet, out bool isFromHigh);
        return HeldOf(key) is >= 0 and { } state && ClockEvidence.IsBeforeItsData(_states[state].Value, isFromHigh ? 1 : 0, packet, time, minNanos);
    }

    /// <summary>The recording clock was set: what began before it and ends behind it is not measured.</summary>
    public void OnClockStep()
    {
        _segments.OnClockStep();
    }

    /// <summary>Takes in a data segment that was predicted from the latest segment (<see cref="SegmentCoalescer"/>).</summary>
    /// <param name="segment">What is not as in that one.</param>
    /// <param name="frameLength">Bytes of its frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    /// <returns>False, and nothing is taken in, when it has to be parsed.</returns>
    public bool TryContinue(in PredictedSegment segment, int frameLength, TraceTime time, long number)
    {
        if (_lastState < 0 || !_segments.TryContinue(ref _last.Value, _lastFrom, segment, frameLength, time, number))
        {
            return false;
        }

        _now = time;
        return true;
    }

    /// <summary>Takes in what was coalesced behind the latest segment.</summary>
    /// <param name="segments">At least one.</param>
    public void OnCoalesced(CoalescedSegments segments)
    {
        _segments.OnCoalesced(ref _last.Value, _lastFrom, segments);
        _now = segments.Time;
    }

    /// <summary>Says which segments may be coalesced behind the latest one.</summary>
    /// <param name="segments">Begins behind it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginCoalescing(CoalescedSegments segments) => _segments.BeginCoalescing(ref _last.Value, _lastFrom, segments);

    /// <summary>Takes in a TCP segment.</summary>
    /// <param name="packet">The segment.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="frameLength">Bytes of the frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="latest">Instant of the latest record so far.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    /// <returns>Whether what follows may be predicted from it.</returns>
    public bool OnSegment(in ParsedPacket packet, ReadOnlySpan<byte> frame, int frameLength, TraceTime time, TraceTime latest, long number)
    {
        _now = time;
        _latest = latest;
        bool isOpening = (packet.Flags & (TcpFlags.Syn | TcpFlags.Rst)) == TcpFlags.Syn;
        if (!_lastKey.Is(packet, out bool isFromHigh) || isOpening || _lastState < 0 || IsOver(_last.Value))
        {
            int state = Find(packet, isOpening, new FirstPacket(number, time), out isFromHigh);
            if (state < 0)
            {
                AddLate(state, packet, frameLength, time);
                return false;
            }

            _lastState = state;
            _last = _states[state];
            Prefetch(_last.Value);
        }

        int from = isFromHigh ? 1 : 0;
        ref ConnectionState connection = ref _last.Value;
        ref EndState sender = ref connection.EndOf(from);
        sender.Send.Counts.FrameBytes += frameLength;
        _segments.OnSegment(ref connection, from, ref sender, packet, frame, time, number);
        _lastFrom = from;
        if (connection.Closing.End == ConnectionEnd.Open)
        {
            return packet.PayloadLength > 1 && _segments.IsContinuable(sender.Send, packet);
        }

        if (!connection.Closing.IsQueued)
        {
            connection.Closing.IsQueued = true;
            _ended.Enqueue(new(_lastState, connection.Index, time));
        }

        return false;
    }

    /// <summary>Takes in that the network reported a packet as too big. One of a connection not held here says nothing.</summary>
    /// <param name="report">The report.</param>
    /// <param name="position">Where it stands in the trace.</param>
    public void OnTooBig(in PacketTooBig report, TracePosition position)
    {
        if (HeldOf(FlowKey.Of(report.Source, report.Destination, out bool isFromHigh)) is >= 0 and { } state)
        {
            _observer.OnTooBig(ref _states[state].Value, isFromHigh ? 1 : 0, report.Mtu, position);
        }
    }

    /// <summary>Takes in that a sender's stack is recorded, and how large its peer's window is by it.</summary>
    /// <param name="sender">The sender.</param>
    /// <param name="peer">Its peer.</param>
    /// <param name="bytes">The window.</param>
    /// <returns>Whether both are known: nothing more need be said of them.</returns>
    public bool OnSendWindow(Endpoint sender, Endpoint peer, int bytes)
    {
        if (HeldOf(FlowKey.Of(sender, peer, out bool isFromHigh)) is not (>= 0 and var state))
        {
            return false;
        }

        int from = isFromHigh ? 1 : 0;
        ref ConnectionState connection = ref _states[state].Value;
        ref ReceiveWindow window = ref connection.Ends[from ^ 1].Receive.Window;
        window.OnReported(bytes);
        return _observer.OnSenderHere(in connection, from) & window.IsScaleKnown;
    }

    /// <summary>Ends the trace: folds everything that is left.</summary>
    /// <param name="end">Instant of the trace's last record.</param>
    /// <returns>All connections in the order of their first packets.</returns>
    public List<Connection> Finish(TraceTime end)
    {
        _now = end;
        _states.Close();
        _segments.Close();
        _observer.Close();
        int count = _states.Count;
        bool isInOrder = _folded.Count == 0; // then each had a state of its own, in the order of the first packets
        for (int number = 0; number < count; number++)
        {
            Pooled<ConnectionState> state = _states[number];
            if (IsHeld(number))
            {
                // In the order of memory, that of the first packets: who reads the results goes through memory in order, too.
                Conclude(ref state.Value);
                _segments.Release(ref state.Value);
            }

            _states.Return(ref state);
        }

        if (!isInOrder)
        {
            _folded.Sort(static (left, right) => left.Index.CompareTo(right.Index));
        }

        return _folded;
    }

    // Where many connections take turns, what is kept for one has left the nearer caches when its turn comes.
    [MethodImpl(MethodImplOptions.NoInlining)] // a segment of the same connection as the one before needs no room for it
    void Prefetch(in ConnectionState connection)
    {
        FlightPool.Prefetch(connection.Ends[0].Send);
        FlightPool.Prefetch(connection.Ends[1].Send);
        _observer.Prefetch(connection);
        if (connection.Next > 0)
        {
            _states[connection.Next - 1].Prefetch();
        }
    }

    // The number of the connection's state, whose key is the latest then; or the complement of the number of its result. Connections that are polled, or paced
    // by one clock, have their packets in the same order again and again: the one that followed lately is asked first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    int Find(in ParsedPacket packet, bool isOpening, FirstPacket first, out bool isFromHigh)
    {
        int previous = _lastState;
        _lastState = -1;
        if (!isOpening && previous >= 0 && _states[previous].Value.Next is > 0 and { } next)
        {
            ref readonly ConnectionState followed = ref _states[next - 1].Value;
            if (followed.Key.Is(packet, out isFromHigh) && followed.Index >= 0 && !IsOver(followed))
            {
                _lastKey = followed.Key;
                return next - 1;
            }
        }

        int state = FindInIndex(packet, isOpening, first, out isFromHigh);
        if (previous >= 0 && state >= 0)
        {
            _states[previous].Value.Next = state + 1;
        }

        return state;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] // it needs more room than who is asked first
    int FindInIndex(in ParsedPacket packet, bool isOpening, FirstPacket first, out bool isFromHigh)
    {
        FlowKey key = FlowKey.Of(packet, out isFromHigh);
        _lastKey = key;
        if (!_part.Has(key))
        {
            return Elsewhere;
        }

        ref int value = ref _index.Find(key);
        if (Unsafe.IsNullRef(ref value))
        {
            FoldEnded(_latest);
            int number = Open(key, first);
            _index.Add(key, number);
            return number;
        }

        if (value >= 0 && IsOver(_states[value].Value))
        {
            Fold(value); // as if another had opened meanwhile: what comes now must not depend on whether one has
        }

        if (isOpening && (value < 0 ? (packet.Flags & TcpFlags.Ack) == 0 : Handshake.IsAnotherConnection(_states[value].Value, isFromHigh ? 1 : 0, packet)))
        {
            if (value >= 0)
            {
                Fold(value); // changes the value, adds nothing: the reference stays valid
            }

            FoldEnded(_latest);
            value = Open(key, first);
        }

        return value;
    }

    /// <inheritdoc/>
    bool IFlowKeys.Is(int value, in FlowKey key) => value >= 0
        ? _states[value].Value.Key == key
        : FlowKey.Of(_folded[~value].Client, _folded[~value].Server, out _) == key;

    // Negative when none is held.
    int HeldOf(in FlowKey key)
    {
        ref int value = ref _index.Find(key);
        return Unsafe.IsNullRef(ref value) ? -1 : value;
    }

    int Open(in FlowKey key, FirstPacket first)
    {
        if (!_freeStates.TryPop(out int number))
        {
            number = _states.Count;
            _ = _states.Take();
        }

        _states[number].Value.Begin(key, _count++, first.Number, first.Time, _segments.ClockSteps);
        return number;
    }

    /// <summary>The connections put away so far, those that ended and fell silent among them.</summary>
    /// <param name="now">Instant of the latest record.</param>
    /// <returns>The connections in the order in which they were put away; more come, none goes before <see cref="Finish"/>.</returns>
    public List<Connection> Folded(TraceTime now)
    {
        FoldEnded(now);
        return _folded;
    }

    /// <summary>What is known so far of the connections still held that had packets lately.</summary>
    /// <param name="since">Since when.</param>
    /// <param name="now">Instant of the latest record.</param>
    /// <returns>Results of their own, in the order of the first packets: the connections go on.</returns>
    public List<Connection> Look(TraceTime since, TraceTime now)
    {
        var connections = new List<Connection>();
        for (int number = 0; number < _states.Count; number++)
        {
            if (IsHeld(number) && _states[number].Value.Captured.Last >= since)
            {
                ref ConnectionState state = ref _states[number].Value;
                connections.Add(ConnectionSummary.Of(ref state, _segments, _observer, _options.Vantage, now, isOver: false));
            }
        }

        connections.Sort(static (left, right) => left.Index.CompareTo(right.Index));
        return connections;
    }

    void FoldEnded(TraceTime now)
    {
        while (_ended.TryPeek(out Ended ended) && now - ended.Time > Linger)
        {
            _ended.Dequeue();
            ref ConnectionState state = ref _states[ended.State].Value;
            if (state.Index != ended.Index)
            {
                continue; // folded already, when its 4-tuple was used again
            }

            if (state.Closing.End == ConnectionEnd.Open)
            {
                state.Closing.IsQueued = false;
            }
            else if (now - state.Captured.Last > Linger)
            {
                Fold(ended.State);
            }
            else
            {
                _ended.Enqueue(ended with { Time = state.Captured.Last });
            }
        }
    }

    bool IsHeld(int number) => _states[number].Value.Index >= 0;

    // Whether a connection has ended and fallen silent.
    bool IsOver(in ConnectionState state) => state.Closing.End != ConnectionEnd.Open && _latest - state.Captured.Last > Linger;

    void Conclude(ref ConnectionState state)
    {
        Connection result = ConnectionSummary.Of(ref state, _segments, _observer, _options.Vantage, _now, isOver: true);
        _observer.OnClosed(ref state, result);
        _folded.Add(result);
    }

    // Puts a connection away while the trace goes on: what it held is for others.
    void Fold(int number)
    {
        ref ConnectionState state = ref _states[number].Value;
        Conclude(ref state);
        ref int value = ref _index.Find(state.Key);
        value = value == number ? ~(_folded.Count - 1) : value;
        _segments.Release(ref state);
        state.Index = -1;
        _freeStates.Push(number);
        if (_lastState == number)
        {
            _lastState = -1;
        }
    }

    // To the result with this number, complemented; one of another part is counted there.
    void AddLate(int folded, in ParsedPacket packet, int frameLength, TraceTime time)
    {
        if (folded != Elsewhere)
        {
            AddLate(ref CollectionsMarshal.AsSpan(_folded)[~folded], packet, frameLength, time);
        }
    }

    static void AddLate(ref Connection connection, in ParsedPacket packet, int frameLength, TraceTime time)
    {
        bool isFromClient = connection.Client == new Endpoint(packet.Source, packet.SourcePort);
        ConnectionDirection client = connection.FromClient;
        ConnectionDirection server = connection.FromServer;
        connection = connection with
        {
            Last = time > connection.Last ? time : connection.Last,
            FromClient = isFromClient ? client.WithLate(packet.PayloadLength, frameLength) : client,
            FromServer = isFromClient ? server : server.WithLate(packet.PayloadLength, frameLength),
        };
    }

    readonly record struct Ended(int State, int Index, TraceTime Time);

    readonly record struct FirstPacket(long Number, TraceTime Time);
}
