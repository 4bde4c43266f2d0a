using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// The clock by which a trace was recorded. Where it was set, time is counted on as if it had not been: what passed meanwhile is not known, and counts as
/// nothing. A clock set back by a second shows by itself; by less, packets may have come out of order, and by an acknowledgment recorded before its data the
/// connections tell it (<see cref="Connections.ClockEvidence"/>). One set forward looks like a silence of everybody; whether it was one, they tell as well.
/// </summary>
sealed class RecordingClock
{
    readonly List<ClockStep> _steps = [];
    TraceTime[] _latestOf = [TraceTime.Earliest];
    TraceTime _afterSilence;
    long _doubt;
    long _offset;
    long _offsetBefore;
    int _toldSteps;

    /// <summary>Where it was set.</summary>
    public IReadOnlyList<ClockStep> Steps => _steps;

    /// <summary>Whether nothing is open: no silence or doubt that connections are to be asked about, no segment that they are still to be told of.</summary>
    public bool IsSettled { get; private set; } = true;

    /// <summary>Earliest instant so far.</summary>
    public TraceTime Start { get; private set; } = TraceTime.Latest;

    /// <summary>Latest instant so far.</summary>
    public TraceTime Latest { get; private set; } = TraceTime.Earliest;

    /// <summary>How long everybody kept silent, nanoseconds, while it is open whether the clock was set forward in it; else 0.</summary>
    public long Silence { get; private set; }

    /// <summary>Whether a packet goes back by so much that the clock may have been set back.</summary>
    public bool IsInDoubt { get; private set; }

    /// <summary>When that silence began.</summary>
    public TraceTime BeforeSilence { get; private set; }

    /// <summary>Correction of the present, nanoseconds: to add to recorded times.</summary>
    public long Offset => _offset;

    /// <summary>Takes in the time of a stack event.</summary>
    /// <param name="recorded">Its time in the trace.</param>
    public void OnEvent(TraceTime recorded) => Take(recorded + _offset);

    /// <summary>Reads the time of a packet.</summary>
    /// <param name="recorded">Its time in the trace.</param>
    /// <param name="interfaceIndex">Where it was captured: those of one interface come in order, but for capture queues.</param>
    /// <param name="number">Its number.</param>
    /// <returns>The time counted on.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TraceTime OfPacket(TraceTime recorded, int interfaceIndex, long number)
    {
        TraceTime time = recorded + _offset;
        TraceTime[] latest = _latestOf;
        if (!IsSettled || (ulong)(time - Latest) >= Thresholds.MaxInitialRtoNanos || (uint)interfaceIndex >= (uint)latest.Length)
        {
            return OfOther(recorded, interfaceIndex, number);
        }

        latest[interfaceIndex] = time;
        Latest = time;
        return time;
    }

    // A packet that does not come in order and a short time behind the one before.
    TraceTime OfOther(TraceTime recorded, int interfaceIndex, long number)
    {
        if (interfaceIndex >= _latestOf.Length)
        {
            Grow(interfaceIndex);
        }

        TraceTime time = recorded + _offset;
        ref TraceTime latest = ref _latestOf[interfaceIndex];
        if (latest != TraceTime.Earliest && latest - time > Thresholds.MinStepBackNanos)
        {
            time = OnBack(recorded, latest, number);
        }
        else if (Latest != TraceTime.Earliest && time - Latest >= Thresholds.MaxInitialRtoNanos)
        {
            time = OnSilence(recorded);
        }
        else if (Silence > 0 && time - _afterSilence > Thresholds.MaxSilenceWaitNanos)
        {
            Silence = 0;
        }

        if (time < latest || IsInDoubt)
        {
            IsInDoubt = latest - time > Thresholds.MinClockDoubtNanos;
            _doubt = !IsInDoubt ? 0 : _doubt > 0 ? _doubt : latest - time; // by the first of those that go back
        }

        latest = time > latest ? time : latest;
        Take(time);
        Settle();
        return time;
    }

    /// <summary>It was set back.</summary>
    /// <param name="time">Instant of the packet that shows it.</param>
    /// <param name="number">Number of the packet.</param>
    /// <returns>Its instant from now on.</returns>
    public TraceTime OnSetBack(TraceTime time, long number)
    {
        _steps.Add(new(number, -_doubt));
        _offsetBefore = _offset;
        _offset += _doubt;
        Silence = 0;
        TraceTime now = time + _doubt;
        IsInDoubt = false;
        _doubt = 0;
        Latest = now > Latest ? now : Latest;
        Settle();
        return now;
    }

    /// <summary>The clock was set forward in the silence.</summary>
    /// <param name="time">Instant of a packet behind it.</param>
    /// <param name="number">Number of the packet.</param>
    /// <returns>Its instant from now on.</returns>
    public TraceTime OnForward(TraceTime time, long number)
    {
        _steps.Add(new(number, Silence));
        _offsetBefore = _offset;
        _offset -= Silence;
        TraceTime now = time + -Silence;
        Silence = 0;
        Array.Fill(_latestOf, BeforeSilence);
        Latest = now > BeforeSilence ? now : BeforeSilence;
        Settle();
        return now;
    }

    /// <summary>It was a silence.</summary>
    public void OnQuiet()
    {
        Silence = 0;
        Settle();
    }

    /// <summary>Whether it was set since this was asked last.</summary>
    /// <returns>True once, however often it was set.</returns>
    public bool TakeSteps()
    {
        bool isNew = _steps.Count > _toldSteps;
        _toldSteps = _steps.Count;
        Settle();
        return isNew;
    }

    void Take(TraceTime time)
    {
        Start = time < Start ? time : Start;
        Latest = time > Latest ? time : Latest;
    }

    void Settle() => IsSettled = Silence == 0 && !IsInDoubt && _steps.Count == _toldSteps;

    TraceTime OnBack(TraceTime recorded, TraceTime latest, long number)
    {
        TraceTime time = recorded + _offset;
        _steps.Add(new(number, time - latest));
        _offsetBefore = _offset;
        _offset += latest - time;
        Silence = 0;
        return latest;
    }

    // What a queue kept from before the clock was set back is no silence.
    TraceTime OnSilence(TraceTime recorded)
    {
        TraceTime before = recorded + _offsetBefore;
        if (_offset != _offsetBefore && TraceTime.Distance(before, Latest) <= Thresholds.MinStepBackNanos)
        {
            return before;
        }

        TraceTime time = recorded + _offset;
        BeforeSilence = Latest;
        _afterSilence = time;
        Silence = time - Latest;
        return time;
    }

    void Grow(int interfaceIndex)
    {
        int length = _latestOf.Length;
        Array.Resize(ref _latestOf, interfaceIndex + 1);
        Array.Fill(_latestOf, TraceTime.Earliest, length, _latestOf.Length - length);
    }
}
