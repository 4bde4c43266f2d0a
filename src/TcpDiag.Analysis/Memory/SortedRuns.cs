using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Input;

namespace TcpDiag.Analysis.Memory;

/// <summary>Sorted runs of records in a temporary file, to be merged: as many as there are, a buffer of each run is all that memory holds.</summary>
/// <typeparam name="T">A record, without references.</typeparam>
/// <param name="order">Its order.</param>
public sealed class SortedRuns<T>(IComparer<T> order) : IDisposable
    where T : unmanaged
{
    const int BufferBytes = 1 << 14;

    static readonly int BufferRecords = BufferBytes / Unsafe.SizeOf<T>();

    readonly FileStream _file = TemporaryFile.Create("runs");
    readonly List<Run> _runs = [];

    /// <summary>How many records there are.</summary>
    public long Count { get; private set; }

    /// <summary>How many runs there are.</summary>
    public int Runs => _runs.Count;

    /// <summary>How many records a run has.</summary>
    public int CountOf(int run) => _runs[run].Count;

    /// <summary>Adds a run.</summary>
    /// <param name="records">Its records, sorted.</param>
    /// <exception cref="TemporaryFileException">The disk is full, or fails.</exception>
    public void Add(ReadOnlySpan<T> records)
    {
        TemporaryFile.Write(_file, MemoryMarshal.AsBytes(records), Count * Unsafe.SizeOf<T>());
        _runs.Add(new(Count, records.Length));
        Count += records.Length;
    }

    /// <summary>All records in their order, with the number of their run; of equal ones those of the earlier run come first. May be asked for again.</summary>
    /// <exception cref="TemporaryFileException">The disk fails.</exception>
    public IEnumerable<(int Run, T Record)> Merge()
    {
        var byRecord = Comparer<(T Record, int Run)>.Create((one, other) =>
            order.Compare(one.Record, other.Record) is not 0 and var result ? result : one.Run.CompareTo(other.Run));
        var next = new PriorityQueue<RunReader, (T Record, int Run)>(byRecord);
        for (int run = 0; run < _runs.Count; run++)
        {
            Wait(next, new(_file, _runs[run]), run);
        }

        while (next.TryDequeue(out RunReader? reader, out (T Record, int Run) first))
        {
            yield return (first.Run, first.Record);
            Wait(next, reader, first.Run);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    static void Wait(PriorityQueue<RunReader, (T Record, int Run)> next, RunReader reader, int run)
    {
        if (reader.TryRead(out T record))
        {
            next.Enqueue(reader, (record, run));
        }
    }

    readonly record struct Run(long First, int Count);

    sealed class RunReader(FileStream file, Run run)
    {
        readonly T[] _buffer = new T[int.Min(BufferRecords, run.Count)];
        int _read;

        public bool TryRead(out T record)
        {
            if (_read == run.Count)
            {
                record = default;
                return false;
            }

            int place = _read % _buffer.Length;
            if (place == 0)
            {
                Span<T> part = _buffer.AsSpan(0, int.Min(_buffer.Length, run.Count - _read));
                TemporaryFile.Read(file, MemoryMarshal.AsBytes(part), (run.First + _read) * Unsafe.SizeOf<T>());
            }

            record = _buffer[place];
            _read++;
            return true;
        }
    }
}
