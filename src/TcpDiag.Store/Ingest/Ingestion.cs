using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Store.Rows;

namespace TcpDiag.Store.Ingest;

/// <summary>How recordings are taken in.</summary>
/// <param name="Store">The file of the store.</param>
/// <param name="Workers">Files that are read at once, 1 or more.</param>
/// <param name="Labels">What is known of all of them.</param>
public sealed record IngestSettings(string Store, int Workers, RecordingLabels Labels)
{
    /// <summary>How long a file must not have changed before it is read.</summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long a file is a worker's that gives no sign of life.</summary>
    public TimeSpan Lease { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Whether to end when everything that is there is taken in or set aside, by whichever process.</summary>
    public bool IsOnce { get; init; }

    /// <summary>Told of each file: its path, and what became of it.</summary>
    public Action<string, string>? Told { get; init; }
}

/// <summary>
/// Takes recordings in from drop folders: looks, claims, reads, adds, writes down. Each step may be the last of a killed process: the file is claimed again
/// then, and
/// adding it twice counts once. A file that is written anew replaces what it was.
/// </summary>
public sealed class Ingestion : IDisposable
{
    static readonly TimeSpan PauseOfServer = TimeSpan.FromSeconds(2);
    static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(500);

    readonly IngestSettings _settings;
    readonly TimeProvider _time;
    readonly string _owner = FormattableString.Invariant($"{Environment.MachineName}:{Environment.ProcessId}:{Guid.NewGuid():N}");
    readonly BlockingCollection<DropFile> _queue;
    readonly ConcurrentDictionary<string, bool> _queued = new(StringComparer.Ordinal);

    /// <summary>Prepares an ingest.</summary>
    /// <param name="settings">How.</param>
    /// <param name="time">The clock; the system's when not given.</param>
    public Ingestion(IngestSettings settings, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(settings);
        _settings = settings;
        _time = time ?? TimeProvider.System;
        _queue = new(settings.Workers * IngestWorker.MaxFiles);
    }

    /// <summary>What it has done so far.</summary>
    public IngestCounters Counters { get; } = new();

    /// <summary>Takes in what is in folders, until it is cancelled, or once.</summary>
    /// <param name="folders">Drop folders.</param>
    /// <param name="files">Single files, read once each.</param>
    /// <param name="cancellation">Ends it; files that were being read are given back.</param>
    /// <exception cref="StoreException">The store cannot be written, or a folder is gone.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public void Run(IReadOnlyList<string> folders, IReadOnlyList<string> files, CancellationToken cancellation)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Open().Dispose(); // a store that cannot be opened is told before the work begins
        Task[] workers =
        [
            .. Enumerable.Range(0, _settings.Workers).Select(_ => Start(() => Work(stop.Token), stop)), Start(() => RenewLeases(stop.Token), stop),
        ];
        try
        {
            Feed([.. folders.Select(folder => new DropFolder(folder, _settings.Store, _settings.Settle, _time, PassOver))], files, stop.Token);
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            // A worker has failed, which is told below.
        }
        finally
        {
            stop.Cancel();
            WaitFor(workers);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _queue.Dispose();

    // One that fails ends the others.
    static Task Start(Action work, CancellationTokenSource stop) => Task.Factory.StartNew(
        () =>
        {
            bool isDone = false;
            try
            {
                work();
                isDone = true;
            }
            finally
            {
                if (!isDone)
                {
                    stop.Cancel();
                }
            }
        },
        CancellationToken.None,
        TaskCreationOptions.LongRunning,
        TaskScheduler.Default);

    static void WaitFor(Task[] workers)
    {
        try
        {
            Task.WaitAll(workers);
        }
        catch (AggregateException exception)
        {
            ExceptionDispatchInfo.Throw(exception.InnerExceptions[0]);
        }
    }

    void Feed(DropFolder[] folders, IReadOnlyList<string> files, CancellationToken stop)
    {
        using IIngestStore store = Open();
        IWorkLeases leases = store.Leases(_owner, _settings.Lease);
        bool isDone = false;
        while (!isDone)
        {
            WhenReached(() => isDone = FeedOnce(store, leases, folders, files, stop), stop);
            stop.WaitHandle.WaitOne(isDone ? TimeSpan.Zero : Interval);
            stop.ThrowIfCancellationRequested();
        }
    }

    void PassOver(string path)
    {
        Counters.PassOver();
        _settings.Told?.Invoke(path, "passed over: its name is no UTF-8. Rename it.");
    }

    // True when everything is taken in, and that is all that was asked for.
    bool FeedOnce(IIngestStore store, IWorkLeases leases, DropFolder[] folders, IReadOnlyList<string> files, CancellationToken stop)
    {
        store.Drain();
        IEnumerable<DropFile> named = files.Select(path => DropFile.Of(string.Empty, path)).OfType<DropFile>();
        IReadOnlyList<DropFile> waiting = leases.Unsettled([.. folders.SelectMany(folder => folder.Look()).Concat(named)]);
        Counters.Wait(waiting.Count);
        foreach (DropFile file in waiting.Where(file => _queued.TryAdd(file.Path, true)))
        {
            _queue.Add(file, stop);
        }

        return _settings.IsOnce && waiting.Count == 0 && _queued.IsEmpty && folders.All(folder => folder.Unsettled == 0);
    }

    // A server that is away comes back: until then files stay where they are. Who asked for everything once is told.
    void WhenReached(Action work, CancellationToken stop)
    {
        try
        {
            work();
        }
        catch (StoreUnreachableException) when (!_settings.IsOnce)
        {
            Counters.Retry();
            stop.WaitHandle.WaitOne(PauseOfServer);
        }
    }

    void Work(CancellationToken stop)
    {
        using IIngestStore store = Open();
        var worker = new IngestWorker(_settings, store, store.Leases(_owner, _settings.Lease), Counters, stop);
        while (Next(stop) is { Count: > 0 } files)
        {
            WhenReached(() => worker.Take(files), stop);
            foreach (DropFile file in files)
            {
                _queued.TryRemove(file.Path, out _);
            }
        }
    }

    // The files that a worker takes together: its share of those that wait, as long as they are small.
    List<DropFile> Next(CancellationToken stop)
    {
        var files = new List<DropFile>();
        try
        {
            files.Add(_queue.Take(stop));
            int share = Math.Min(_queue.Count / _settings.Workers, IngestWorker.MaxFiles - 1);
            while (files.Count <= share && files.Sum(file => file.Bytes) < IngestWorker.MaxBytes && _queue.TryTake(out DropFile? more))
            {
                files.Add(more);
            }
        }
        catch (OperationCanceledException)
        {
            // It ends; what was not taken stays where it is.
        }

        return files;
    }

    void RenewLeases(CancellationToken stop)
    {
        using IIngestStore store = Open();
        IWorkLeases leases = store.Leases(_owner, _settings.Lease);
        while (!stop.WaitHandle.WaitOne(_settings.Lease / 3))
        {
            WhenReached(leases.Renew, stop);
        }
    }

    IIngestStore Open() => ResultStores.OpenForIngest(_settings.Store, _time);
}
