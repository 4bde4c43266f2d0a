using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// The leases of files in ClickHouse: a list of what happened, to which rows are only added. Who claims a file adds a claim and reads back whose was the
/// first of its round. Two may both think so for a moment; then both read the file, and it counts once all the same.
/// </summary>
sealed class ClickHouseLeases : IWorkLeases
{
    const string ClaimedState = "claimed";
    const string Released = "released";
    const string Done = "done";
    const string Rejected = "rejected";
    const int FilesAtOnce = 1000;

    readonly ClickHouseClient _client;
    readonly Patience _patience;
    readonly TimeProvider _time;
    readonly string _owner;
    readonly long _leaseNanos;
    readonly FolderNames _names = new();
    readonly HashSet<DropFile> _settled = [];
    readonly Dictionary<string, LeaseClaim> _claims = new(StringComparer.Ordinal);
    long _alive;

    public ClickHouseLeases(ClickHouseClient client, Patience patience, TimeProvider time, string owner, TimeSpan lease)
    {
        _client = client;
        _patience = patience;
        _time = time;
        _owner = owner;
        _leaseNanos = lease.Ticks * TimeSpan.NanosecondsPerTick;
    }

    // The columns of what happened to files, in the order in which they are read and written.
    static readonly (string Name, string Type, BinaryKind Kind)[] Columns =
    [
        ("path", "String", BinaryKind.Text), ("bytes", "Int64", BinaryKind.Number), ("modified_ns", "Int64", BinaryKind.Number),
        ("program", "String", BinaryKind.Text),
        ("round", "Int64", BinaryKind.Number), ("state", "String", BinaryKind.Text), ("owner", "String", BinaryKind.Text),
        ("source", "Nullable(String)", BinaryKind.OptionalText),
        ("reason", "Nullable(String)", BinaryKind.OptionalText), ("at_ns", "Int64", BinaryKind.Number),
    ];

    /// <summary>The table of what happened to files.</summary>
    public static OwnTable Files { get; } =
        new("ingest_event", string.Join(", ", Columns.Select(column => $"\"{column.Name}\" {column.Type}")), "\"path\", \"at_ns\"", "\"path\"");

    /// <summary>The table of how long processes are known to live.</summary>
    public static OwnTable Owners { get; } = new("ingest_owner", "\"owner\" String, \"until_ns\" Int64", "\"owner\"", "\"owner\"");

    /// <inheritdoc/>
    public IReadOnlyList<DropFile> Unsettled(IReadOnlyList<DropFile> files)
    {
        foreach (DropFile[] some in files.Where(file => !_settled.Contains(file)).Chunk(FilesAtOnce))
        {
            Dictionary<string, DropFile> byName = some.ToDictionary(_names.Of, StringComparer.Ordinal);
            IEnumerable<LeaseEvent> events = _patience.Run(() => EventsOf(byName.Keys).ToList());
            foreach (LeaseEvent entry in events.Where(entry => entry.State is Done or Rejected && entry.IsOf(byName[entry.Path])))
            {
                _settled.Add(byName[entry.Path]);
            }
        }

        return [.. files.Where(file => !_settled.Contains(file))];
    }

    /// <inheritdoc/>
    public Claim Claim(DropFile file) => _patience.Run(() => Claimed(file, EventsOf([_names.Of(file)])));

    /// <inheritdoc/>
    public IReadOnlyList<Claim> ClaimNew(IReadOnlyList<DropFile> files) => _patience.Run(() =>
    {
        ILookup<string, LeaseEvent> known = EventsOf(files.Select(_names.Of)).ToLookup(entry => entry.Path, StringComparer.Ordinal);
        DropFile[] fresh = [.. files.Where(file => !known[_names.Of(file)].Any(entry => entry.IsOf(file)))];
        foreach (DropFile file in fresh)
        {
            _claims[_names.Of(file)] = ClaimOf(1, known[_names.Of(file)]);
        }

        Write(fresh.Select(file => EventOf(file, ClaimedState, 1, null, null)));
        ILookup<string, LeaseEvent> now = EventsOf(fresh.Select(_names.Of)).ToLookup(entry => entry.Path, StringComparer.Ordinal);
        return files.Select(file => fresh.Contains(file) ? GivenOf(file, now[_names.Of(file)], 0) : Ingest.Claim.Alone).ToArray();
    });

    Claim Claimed(DropFile file, IEnumerable<LeaseEvent> known)
    {
        string name = _names.Of(file);
        LeaseEvent[] all = [.. known];
        LeaseEvent[] events = [.. all.Where(entry => entry.IsOf(file))];
        if (Array.Exists(events, entry => entry.State is Done or Rejected))
        {
            return Ingest.Claim.Settled;
        }

        LeaseEvent? holder = OwnerOf(events);
        bool isOwn = holder is not null && string.Equals(holder.Owner, _owner, StringComparison.Ordinal);
        if (holder is not null && !isOwn && IsAlive(holder.Owner))
        {
            return Ingest.Claim.Taken;
        }

        // A claim of this worker that was sent when the server broke off is no attempt of its own.
        long round = isOwn && _claims.GetValueOrDefault(name) is { IsGiven: false } sent && sent.Round == holder!.Round ? sent.Round
            : events.Select(entry => entry.Round).DefaultIfEmpty().Max() + 1;
        _claims[name] = ClaimOf(round, all);
        Write([EventOf(file, ClaimedState, round, null, null)]);
        return GivenOf(file, EventsOf([name]), events.Count(entry => entry.State is Released));
    }

    static LeaseClaim ClaimOf(long round, IEnumerable<LeaseEvent> known) =>
        new(round, known.Where(entry => entry.State is Done).MaxBy(entry => entry.At)?.Source, IsGiven: false);

    // Read back: whose claim was the first.
    Claim GivenOf(DropFile file, IEnumerable<LeaseEvent> now, int released)
    {
        string name = _names.Of(file);
        _claims[name] = _claims[name] with { IsGiven = true };
        return !string.Equals(OwnerOf([.. now.Where(entry => entry.IsOf(file))])?.Owner, _owner, StringComparison.Ordinal) ? Ingest.Claim.Taken
            : _claims[name].Round - released > WorkLeases.MaxAttempts ? Ingest.Claim.Poison
            : Ingest.Claim.Mine;
    }

    /// <inheritdoc/>
    public void Renew() => _patience.Run(() =>
    {
        _alive = _time.NowNanos() + _leaseNanos;
        var block = new RowBlock([BinaryKind.Text, BinaryKind.Number]);
        block.Add(StoreValue.Of(_owner), StoreValue.Of(_alive));
        _client.Insert(Owners.Name, ["owner", "until_ns"], block);
        return true;
    });

    /// <inheritdoc/>
    public void Release(DropFile file) => Settle([(file, Released, null, null)]);

    /// <inheritdoc/>
    public IReadOnlyList<string> Finish(IReadOnlyList<FinishedFile> files)
    {
        Settle([.. files.Select(one => (one.File, Done, (string?)one.Source, (string?)null))]);
        return
        [
            .. from one in files
               let name = _names.Of(one.File)
               let before = _claims.GetValueOrDefault(name)?.Before
               where before is not null && !string.Equals(before, one.Source, StringComparison.Ordinal) && !_patience.Run(() => IsElsewhere(before, name))
               select before,
        ];
    }

    /// <inheritdoc/>
    public void Reject(DropFile file, string reason) => Settle([(file, Rejected, null, reason)]);

    // The first claim of the last round, unless its owner gave the file back.
    static LeaseEvent? OwnerOf(LeaseEvent[] events)
    {
        LeaseEvent? first = events.Where(entry => entry.State is ClaimedState)
            .OrderByDescending(entry => entry.Round).ThenBy(entry => entry.At).ThenBy(entry => entry.Owner, StringComparer.Ordinal).FirstOrDefault();
        return first is null || Array.Exists(events, entry => entry.State is Released && entry.Round == first.Round && string.Equals(entry.Owner, first.Owner,
            StringComparison.Ordinal)) ? null : first;
    }

    void Settle((DropFile File, string State, string? Source, string? Reason)[] files) => _patience.Run(() =>
    {
        Write(files.Select(one => EventOf(one.File, one.State, _claims.GetValueOrDefault(_names.Of(one.File))?.Round ?? 0, one.Source, one.Reason)));
        return true;
    });

    // A lease that reaches further than any does is of a clock that was set back; clocks of several machines may differ by a lease.
    bool IsAlive(string owner)
    {
        var question = new ClickHouseQuestion(
            "SELECT max(\"until_ns\") FROM \"ingest_owner\" WHERE \"owner\" = (SELECT \"p0\" FROM \"given\")", [BinaryKind.Number])
        {
            Given = new([GivenColumn.Text("p0")], [[StoreValue.Of(owner)]]),
        };
        long left = (_client.Read(question).Single()[0].Number ?? 0) - _time.NowNanos();
        return left > 0 && left <= 2 * _leaseNanos;
    }

    void KeepAlive()
    {
        if (_alive - _time.NowNanos() is var left && (left < _leaseNanos / 2 || left > _leaseNanos))
        {
            Renew();
        }
    }

    IEnumerable<LeaseEvent> EventsOf(IEnumerable<string> names)
    {
        var question = new ClickHouseQuestion(
            $"SELECT {string.Join(", ", Columns.Select(column => $"\"{column.Name}\""))} FROM \"{Files.Name}\" WHERE \"path\" GLOBAL IN (SELECT \"p0\" FROM "
                + "\"given\")",
            [.. Columns.Select(column => column.Kind)])
        {
            Given = new([GivenColumn.Text("p0")], [.. names.Select(name => (StoreValue[])[StoreValue.Of(name)])]),
        };
        return question.Given.Rows.Count == 0 ? [] : _client.Read(question).Select(row => new LeaseEvent(
            row[0].Text!, row[1].Number ?? 0, row[2].Number ?? 0, row[3].Text!, row[4].Number ?? 0, row[5].Text!, row[6].Text!, row[7].Text,
            row[9].Number ?? 0));
    }

    // Whether the last thing that was taken in under another path is the same recording.
    bool IsElsewhere(string source, string name)
    {
        var question = new ClickHouseQuestion(
            "SELECT toInt64(count()) FROM (SELECT \"path\", argMax(\"source\", \"at_ns\") AS \"last\" FROM \"ingest_event\" WHERE \"state\" = 'done' GROUP BY "
                + "\"path\") "
            + "WHERE \"last\" = (SELECT \"p0\" FROM \"given\") AND \"path\" != (SELECT \"p1\" FROM \"given\")",
            [BinaryKind.Number])
        {
            Given = new([GivenColumn.Text("p0"), GivenColumn.Text("p1")], [[StoreValue.Of(source), StoreValue.Of(name)]]),
        };
        return _client.Read(question).Single()[0].Number > 0;
    }

    StoreValue[] EventOf(DropFile file, string state, long round, string? source, string? reason) =>
    [
        StoreValue.Of(_names.Of(file)), StoreValue.Of(file.Bytes), StoreValue.Of(file.ModifiedNanos), StoreValue.Of(RecordingRows.ProgramVersion.ToString()),
        StoreValue.Of(round), StoreValue.Of(state), StoreValue.Of(_owner), StoreValue.Of(source), StoreValue.Of(reason), StoreValue.Of(_time.NowNanos()),
    ];

    void Write(IEnumerable<StoreValue[]> events)
    {
        var block = new RowBlock([.. Columns.Select(column => column.Kind)]);
        foreach (StoreValue[] entry in events)
        {
            block.Add(entry);
        }

        if (block.Count > 0)
        {
            KeepAlive(); // who claims something lives
            _client.Insert(Files.Name, Columns.Select(column => column.Name), block);
        }
    }
}

/// <summary>A claim of this process.</summary>
/// <param name="Round">How often the file was claimed before, and this time.</param>
/// <param name="Before">What was taken in under its path before; null for nothing.</param>
/// <param name="IsGiven">Whether the worker was told; not where the server broke off.</param>
sealed record LeaseClaim(long Round, string? Before, bool IsGiven);

/// <summary>What happened to a file.</summary>
sealed record LeaseEvent(string Path, long Bytes, long Modified, string Program, long Round, string State, string Owner, string? Source, long At)
{
    /// <summary>Whether it is about the file as it is, read by this program.</summary>
    public bool IsOf(DropFile file) => Bytes == file.Bytes && Modified == file.ModifiedNanos
        && string.Equals(Program, RecordingRows.ProgramVersion.ToString(), StringComparison.Ordinal);
}
