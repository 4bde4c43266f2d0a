using System;
using System.Collections.Generic;
using System.Threading;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>Hands samples from the thread that takes them to the one that writes the file, encoded and in bounded memory.</summary>
/// <param name="watch">Is shown each sample; null for nobody.</param>
sealed class SampleMailbox(IStackEventSink? watch) : IStackEventSink
{
    // Some 10,000 samples; the writer empties the box every few milliseconds.
    const int MaxBytes = 1 << 23;

    readonly Lock _gate = new();
    List<(TraceTime Time, int Length, bool IsSample)> _filling = [];
    List<(TraceTime Time, int Length, bool IsSample)> _emptying = [];
    byte[] _fillingBytes = new byte[1 << 16];
    byte[] _emptyingBytes = new byte[1 << 16];
    int _used;
    long _busySince = long.MaxValue;

    /// <summary>Entries that found the box full.</summary>
    public long Refused { get; private set; }

    /// <summary>Since when a sample is being taken that is not in the box yet, nanoseconds of the realtime clock; the largest number when none is.</summary>
    public long BusySince => Volatile.Read(ref _busySince);

    /// <summary>Says that samples are going to be taken.</summary>
    public void Begin() => Volatile.Write(ref _busySince, Libc.Now(Libc.ClockRealtime));

    /// <summary>Says that all samples taken are in the box.</summary>
    public void End() => Volatile.Write(ref _busySince, long.MaxValue);

    /// <inheritdoc/>
    public void Add(StackEvent stackEvent)
    {
        watch?.Add(stackEvent);
        lock (_gate)
        {
            int room = JournalEncoder.MaxLength(stackEvent);
            if (_used + room > MaxBytes)
            {
                Refused++;
                return;
            }

            if (_used + room > _fillingBytes.Length)
            {
                Array.Resize(ref _fillingBytes, Math.Max(_fillingBytes.Length * 2, _used + room));
            }

            int length = JournalEncoder.Encode(stackEvent, _fillingBytes.AsSpan(_used));
            _filling.Add((stackEvent.Time, length, stackEvent.Kind == StackEventKind.CwndSample));
            _used += length;
        }
    }

    /// <summary>Empties the box.</summary>
    /// <param name="recorder">Takes the entries.</param>
    public void Empty(EventRecorder recorder)
    {
        lock (_gate)
        {
            (_filling, _emptying) = (_emptying, _filling);
            (_fillingBytes, _emptyingBytes) = (_emptyingBytes, _fillingBytes);
            _used = 0;
        }

        int offset = 0;
        foreach ((TraceTime time, int length, bool isSample) in _emptying)
        {
            recorder.AddEncoded(time, _emptyingBytes.AsSpan(offset, length), isSample);
            offset += length;
        }

        _emptying.Clear();
    }
}
