using System;
using TcpDiag.Probe.Profiles;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>
/// A TCP receiver whose network is pretended: what the sender sends is there at once, but "arrives" as a script says, in its place, late or never, and is
/// acknowledged accordingly (each segment by itself, SACK and DSACK included). It has no clock and no network: segments and the time are passed in, and its
/// caller takes what it sends by <see cref="TrySend"/>. One connection; it offers neither timestamps nor ECN, so that nothing but SACK tells the sender what
/// arrived.
/// </summary>
public sealed class ScriptedReceiver
{
    // Units of 4 bytes: the edge of the window can lie on the end of any segment whose size is a multiple of 4, up to 262,140 bytes away.
    const byte OfferedScale = 2;
    const int MaxWindow = 0xFFFF << OfferedScale;

    readonly ProbeSettings _settings;
    readonly ProbeProfile _profile;
    readonly SequenceNumber _iss;
    readonly DelayLine _line;
    readonly ReceiverView _view;
    readonly PermissionTrack _permissions = new();
    Reassembly? _held;
    ProbeSegment _synAck;
    TraceTime _synAckDue = TraceTime.Latest;
    TraceTime? _synAckSent;
    SequenceNumber _highestSent;
    SequenceNumber _edge;
    bool _mustReset;

    /// <summary>A receiver that waits for a connection.</summary>
    /// <param name="settings">Its network.</param>
    /// <param name="profile">Its script.</param>
    /// <param name="iss">Its initial sequence number.</param>
    public ScriptedReceiver(ProbeSettings settings, ProbeProfile profile, SequenceNumber iss)
    {
        ArgumentNullException.ThrowIfNull(profile);
        _settings = settings;
        _profile = profile;
        _iss = iss;
        _line = new DelayLine(settings.DelayNanos);
        _view = new ReceiverView(settings);
    }

    /// <summary>What is known of the connection.</summary>
    public ReceiverView View => _view;

    /// <summary>The shift count of the windows it sends (RFC 7323 §2.2): 0 where the sender offers none.</summary>
    public byte WindowScale => _synAck.WindowScale ?? 0;

    /// <summary>Whether data can come.</summary>
    public bool IsEstablished { get; private set; }

    /// <summary>Whether the connection is over, and why; null before that.</summary>
    public string? End { get; private set; }

    /// <summary>When <see cref="TrySend"/> has something to send.</summary>
    public TraceTime NextTimer => _mustReset ? TraceTime.Earliest : _synAckDue < _line.NextDue ? _synAckDue : _line.NextDue;

    /// <summary>A segment of the sender.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="now">When it came.</param>
    public void OnSegment(in ProbeSegment segment, TraceTime now)
    {
        _view.Now = now;
        if (End is not null)
        {
            return;
        }

        if ((segment.Flags & TcpFlags.Rst) != 0)
        {
            End = IsEstablished ? "the sender reset the connection" : null;
        }
        else if ((segment.Flags & TcpFlags.Syn) != 0)
        {
            OnSyn(segment, now);
        }
        else if (_held is not null)
        {
            OnEstablished(segment, now);
        }
    }

    /// <summary>What is to be sent now; to be called until it returns false.</summary>
    /// <param name="now">The time.</param>
    /// <param name="segment">The segment.</param>
    /// <returns>False when there is nothing to send yet.</returns>
    public bool TrySend(TraceTime now, out ProbeSegment segment)
    {
        _view.Now = now;
        segment = _synAck;
        if (_synAckDue <= now)
        {
            _synAckDue = TraceTime.Latest;
            _synAckSent = now;
            return true;
        }

        if (_mustReset)
        {
            _mustReset = false;
            segment = Segment(TcpFlags.Rst | TcpFlags.Ack);
            return true;
        }

        return _held is not null && End is null && TryAcknowledge(now, out segment);
    }

    /// <summary>Ends the connection: a reset is sent.</summary>
    /// <param name="reason">Why.</param>
    public void Abort(string reason)
    {
        if (End is null)
        {
            End = reason;
            _mustReset = _held is not null;
        }
    }

    void OnSyn(in ProbeSegment syn, TraceTime now)
    {
        if (_held is not null)
        {
            return; // sent again: its answer is under way
        }

        _held = new Reassembly(syn.Seq + 1);
        _highestSent = syn.Seq + 1;
        _edge = _highestSent;
        _view.Acknowledged = _highestSent;
        if (!syn.SackPermitted)
        {
            Abort("the sender does not permit SACK");
            return;
        }

        _synAck = Segment(TcpFlags.Syn | TcpFlags.Ack);
        _synAck.Seq = _iss;
        _synAck.Mss = _settings.Mss;
        _synAck.WindowScale = syn.WindowScale is null ? null : OfferedScale;
        _synAck.SackPermitted = true;
        _synAck.Window = Math.Min(ushort.MaxValue, _profile.WindowSegments(_settings) * _settings.Mss);
        _synAckDue = now + _settings.DelayNanos;
    }

    void OnEstablished(in ProbeSegment segment, TraceTime now)
    {
        if (!IsEstablished && _synAckSent is { } sent)
        {
            IsEstablished = true;
            _view.PathNanos = now - sent;
        }

        if (segment.Length > 0)
        {
            OnData(segment, now);
        }
        else if ((segment.Flags & TcpFlags.Fin) != 0)
        {
            Abort("the sender had no more to send");
        }
    }

    void OnData(in ProbeSegment segment, TraceTime now)
    {
        bool isResent = segment.Seq < _highestSent;
        Arrival arrival = new(segment.Seq, segment.End, now, isResent);
        _highestSent = segment.End > _highestSent ? segment.End : _highestSent;
        _view.HighestSent = _highestSent;
        _view.Smss = Math.Max(_view.Smss, segment.Length);
        _view.Flight = _line.Count + 1;
        if (!isResent && _permissions.OnNew(segment.End, now) is { } path)
        {
            _view.PathNanos = Math.Min(_view.PathNanos, path);
        }

        Fate fate = isResent ? _profile.OnResent(arrival, _view) : _profile.OnNew(arrival, _view);
        if (isResent)
        {
            _view.LastResent = now;
        }

        if (!fate.IsDropped)
        {
            _line.Add(arrival, fate.LateNanos, _profile.SpacingNanos(_settings));
        }

        FinishIfDone();
    }

    bool TryAcknowledge(TraceTime now, out ProbeSegment segment)
    {
        segment = default;
        if (!_line.TryTake(now, out Arrival arrival))
        {
            return false;
        }

        SequenceNumber before = _held!.RcvNxt;
        _held.OnArrival(arrival.Seq, arrival.End);
        if (!arrival.IsResent)
        {
            _view.OnRoundTrip(now - arrival.Time);
        }

        _view.HasHole = _held.HasHole;
        _view.Flight = _line.Count;
        _view.Acknowledged = _held.RcvNxt;
        segment = Segment(TcpFlags.Ack);
        _view.WindowEdge = _edge;
        _permissions.OnAcknowledged(segment.Ack + (segment.Window >> WindowScale << WindowScale), now);
        bool reports = _profile.ReportsDuplicates;
        _held.Report(ref segment, reports);
        _profile.OnAcknowledged(new Acknowledgment(now, arrival, before, _held.RcvNxt, reports && _held.Duplicate is not null), _view);
        FinishIfDone();
        return true;
    }

    void FinishIfDone()
    {
        if (_profile.IsDone)
        {
            Abort("the script was at its end");
        }
    }

    ProbeSegment Segment(TcpFlags flags)
    {
        // Counted from what arrived, not from what is acknowledged: a hole does not stop the sender. The edge never moves back (RFC 9293 §3.8.6).
        SequenceNumber edge = _held!.Highest + (_profile.WindowSegments(_settings) * Math.Max(_view.Smss, 1));
        if (!_profile.HoldsWindow && edge > _edge)
        {
            _edge = edge;
        }

        int window = Math.Clamp(_edge - _held.RcvNxt, 0, WindowScale == 0 ? ushort.MaxValue : MaxWindow);
        return new ProbeSegment { Flags = flags, Seq = _iss + 1, Ack = _held.RcvNxt, Window = window };
    }
}

/// <summary>An acknowledgment as it is sent.</summary>
/// <param name="Time">When.</param>
/// <param name="Arrival">The segment that it answers.</param>
/// <param name="Before">SEG.ACK of the one before.</param>
/// <param name="Ack">Its SEG.ACK.</param>
/// <param name="HasDsack">Whether it reports a duplicate.</param>
public readonly record struct Acknowledgment(TraceTime Time, Arrival Arrival, SequenceNumber Before, SequenceNumber Ack, bool HasDsack);
