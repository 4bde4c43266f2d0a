using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Snapshots;

/// <summary>
/// Takes a snapshot: every reader on a thread of its own and with a time budget of its own. One that fails or does not end costs
/// its own section, and the section says so.
/// </summary>
public static class SnapshotTaker
{
    // Sockets of a busy server; more than that helps nobody.
    const int MaxFacts = 20_000;

    // A reader that has not ended after that waits for something and takes no processor: it makes room for the next.
    static readonly TimeSpan StartTime = TimeSpan.FromSeconds(3);

    /// <summary>Takes a snapshot.</summary>
    /// <param name="readers">What to read.</param>
    /// <param name="operatingSystem">System and version.</param>
    /// <param name="time">The clock.</param>
    /// <param name="mostStarting">How many readers may start at the same time; those that hang do not count for long.</param>
    /// <returns>The snapshot, sections in the order of the readers.</returns>
    public static SystemSnapshot Take(IEnumerable<ISnapshotReader> readers, string operatingSystem, TimeProvider time, int mostStarting = int.MaxValue)
    {
        ArgumentNullException.ThrowIfNull(readers);
        ArgumentNullException.ThrowIfNull(time);
        DateTimeOffset now = time.GetUtcNow();
        var runs = new List<Run>();
        foreach (ISnapshotReader reader in readers)
        {
            AwaitRoom(runs, mostStarting);
            runs.Add(new Run(reader));
        }

        return new(SystemSnapshot.SchemaName, now, operatingSystem, [.. runs.ConvertAll(run => run.Wait())]);
    }

    // Each of the oldest is waited for until it ends or has had its time to start.
    static void AwaitRoom(List<Run> runs, int mostStarting)
    {
        foreach (Run run in runs.FindAll(run => run.IsStarting).SkipLast(mostStarting - 1))
        {
            run.AwaitStart();
        }
    }

    sealed class Run
    {
        readonly ISnapshotReader _reader;
        readonly List<SnapshotFact> _facts = [];
        readonly Thread _thread;
        readonly long _begun = Stopwatch.GetTimestamp();
        string? _problem;

        public Run(ISnapshotReader reader)
        {
            _reader = reader;
            _thread = new Thread(Read) { IsBackground = true, Name = reader.Name };
            _thread.Start();
        }

        public bool IsStarting => _thread.IsAlive && Left(StartTime) > TimeSpan.Zero;

        public void AwaitStart() => _thread.Join(Left(StartTime));

        public SnapshotSection Wait()
        {
            bool hasEnded = _thread.Join(Left(_reader.Budget));
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
