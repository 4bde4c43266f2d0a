using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture;

/// <summary>
/// Takes a snapshot: every reader on a thread of its own and with a time budget of its own. One that fails or hangs costs only
/// its own section, which says so.
/// </summary>
public static class SnapshotTaker
{
    // Enough for the sockets of a busy server.
    const int MaxFacts = 20_000;

    // A reader still running after that is waiting and uses no processor: the next may start.
    static readonly TimeSpan StartTime = TimeSpan.FromSeconds(3);

    // A reader that has started a program ends it within about a second of the request, longer on a busy machine; without this wait the program would be left.
    static readonly TimeSpan FarewellTime = TimeSpan.FromSeconds(5);

    /// <summary>Takes a snapshot.</summary>
    /// <param name="readers">What to read.</param>
    /// <param name="operatingSystem">System and version.</param>
    /// <param name="time">The clock.</param>
    /// <param name="maxStarting">How many readers may start at the same time; those that hang do not count for long.</param>
    /// <param name="cancel">Ends it; readers that know it too have five seconds to end what they have started.</param>
    /// <returns>The snapshot, sections in the order of the readers.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public static SystemSnapshot Take(
        IEnumerable<ISnapshotReader> readers, string operatingSystem, TimeProvider time, int maxStarting = int.MaxValue, CancellationToken cancel = default)
    {
        ArgumentNullException.ThrowIfNull(readers);
        ArgumentNullException.ThrowIfNull(time);
        DateTimeOffset now = time.GetUtcNow();
        var runs = new List<Run>();
        try
        {
            foreach (ISnapshotReader reader in readers)
            {
                AwaitRoom(runs, maxStarting, cancel);
                runs.Add(new Run(reader));
            }

            return new(SystemSnapshot.SchemaName, now, operatingSystem, [.. runs.ConvertAll(run => run.Wait(cancel))]);
        }
        catch (OperationCanceledException)
        {
            long cancelled = Stopwatch.GetTimestamp();
            runs.ForEach(run => run.AwaitEnd(FarewellTime - Stopwatch.GetElapsedTime(cancelled)));
            throw;
        }
    }

    // Waits for each of the oldest until it ends or its start-up time is over.
    static void AwaitRoom(List<Run> runs, int maxStarting, CancellationToken cancel)
    {
        foreach (Run run in runs.FindAll(run => run.IsStarting).SkipLast(maxStarting - 1))
        {
            run.AwaitStart(cancel);
        }
    }

    sealed class Run
    {
        readonly ISnapshotReader _reader;
        readonly List<SnapshotFact> _facts = [];
        readonly TaskCompletionSource _ended = new();
        readonly long _begun = Stopwatch.GetTimestamp();
        string? _problem;

        public Run(ISnapshotReader reader)
        {
            _reader = reader;
            new Thread(Read) { IsBackground = true, Name = reader.Name }.Start();
        }

        public bool IsStarting => !_ended.Task.IsCompleted && Left(StartTime) > TimeSpan.Zero;

        public void AwaitStart(CancellationToken cancel) => _ended.Task.Wait(Left(StartTime), cancel);

        public void AwaitEnd(TimeSpan timeout) => _ended.Task.Wait(timeout > TimeSpan.Zero ? timeout : TimeSpan.Zero);

        public SnapshotSection Wait(CancellationToken cancel)
        {
            bool hasEnded = _ended.Task.Wait(Left(_reader.Budget), cancel);
            long milliseconds = (long)Stopwatch.GetElapsedTime(_begun).TotalMilliseconds;
            lock (_facts)
            {
                string? problem = hasEnded ? _problem : FormattableString.Invariant($"no end within {_reader.Budget.TotalSeconds} s");
                return new(_reader.Name, _reader.Source, milliseconds, problem, [.. _facts]);
            }
        }

        TimeSpan Left(TimeSpan span)
        {
            TimeSpan left = span - Stopwatch.GetElapsedTime(_begun);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }

        void Read()
        {
            string? problem = null;
            try
            {
                problem = ReadAll();
            }
#pragma warning disable CA1031 // whatever a reader meets must not cost the recording; the section says what it was
            catch (Exception exception)
#pragma warning restore CA1031
            {
                problem = exception.Message;
            }

            lock (_facts)
            {
                _problem = problem;
            }

            _ended.SetResult();
        }

        string? ReadAll()
        {
            foreach (SnapshotFact fact in _reader.Read())
            {
                lock (_facts)
                {
                    if (_facts.Count == MaxFacts)
                    {
                        return FormattableString.Invariant($"more than {MaxFacts} facts: the others were left out");
                    }

                    _facts.Add(fact);
                }
            }

            return null;
        }
    }
}

/// <summary>Reads one kind of facts about the machine.</summary>
public interface ISnapshotReader
{
    /// <summary>Name of its section.</summary>
    string Name { get; }

    /// <summary>Where it looks, for people.</summary>
    string Source { get; }

    /// <summary>How long it may take.</summary>
    TimeSpan Budget { get; }

    /// <summary>Reads the facts; may throw, and may not end. Facts given before count.</summary>
    /// <returns>The facts.</returns>
    IEnumerable<SnapshotFact> Read();
}

/// <summary>A reader made of a function.</summary>
sealed record SnapshotReader(string Name, string Source, TimeSpan Budget, Func<IEnumerable<SnapshotFact>> Facts) : ISnapshotReader
{
    public IEnumerable<SnapshotFact> Read() => Facts();
}
