using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;

namespace TcpDiag.Store.Ingest;

/// <summary>The leases in a file of SQLite: a claim is one transaction.</summary>
sealed class WorkLeases : IWorkLeases
{
    // A file whose reader was killed so often does it: no machine is restarted just then so many times.
    public const int MaxAttempts = 8;

    const string Open = "open";
    const string Done = "done";
    const string Rejected = "rejected";

    readonly SqliteDatabase _database;
    readonly TimeProvider _time;
    readonly string _owner;
    readonly long _leaseNanos;

    public WorkLeases(SqliteDatabase database, TimeProvider time, string owner, TimeSpan lease)
    {
        _database = database;
        _time = time;
        _owner = owner;
        _leaseNanos = lease.Ticks * TimeSpan.NanosecondsPerTick;
    }

    /// <summary>The table, since version 2 of the schema.</summary>
    public const string Definition = """
        CREATE TABLE "ingest_file" ("path" TEXT PRIMARY KEY, "bytes" INTEGER NOT NULL, "modified_ns" INTEGER NOT NULL, "program" TEXT NOT NULL,
        "state" TEXT NOT NULL, "owner" TEXT, "until_ns" INTEGER, "attempts" INTEGER NOT NULL, "source" TEXT, "reason" TEXT,
            "at_ns" INTEGER NOT NULL) WITHOUT ROWID
        """;

    long Now => _time.NowNanos();

    /// <inheritdoc/>
    public IReadOnlyList<DropFile> Unsettled(IReadOnlyList<DropFile> files) => [.. files.Where(file => !IsSettled(file))];

    bool IsSettled(DropFile file) => Find(file) is { IsSame: true, State: Done or Rejected };

    /// <inheritdoc/>
    public Claim Claim(DropFile file) => IsSettled(file) ? Ingest.Claim.Settled : _database.Write(() =>
    {
        Entry? known = Find(file);
        Entry? same = known is { IsSame: true } ? known : null;
        if (same is { State: not Open })
        {
            return Ingest.Claim.Settled;
        }

        if (same is { IsOwn: false, UntilNanos: { } until } && until > Now && until - Now <= _leaseNanos)
        {
            return Ingest.Claim.Taken;
        }

        long attempts = (same?.Attempts ?? 0) + 1;
        Write(file, attempts, known?.Source);
        return attempts > MaxAttempts ? Ingest.Claim.Poison : Ingest.Claim.Mine;
    });

    /// <inheritdoc/>
    public IReadOnlyList<Claim> ClaimNew(IReadOnlyList<DropFile> files) => _database.Write<Claim[]>(() =>
    [
        .. files.Select(file =>
        {
            Entry? known = Find(file);
            if (known is { IsSame: true })
            {
                return Ingest.Claim.Alone;
            }

            Write(file, 1, known?.Source);
            return Ingest.Claim.Mine;
        }),
    ]);

    /// <inheritdoc/>
    public void Renew() => _database.WriteOnce(
        "UPDATE \"ingest_file\" SET \"until_ns\" = @p0 WHERE \"owner\" = @p1 AND \"state\" = 'open'", StoreValue.Of(Now + _leaseNanos), StoreValue.Of(_owner));

    /// <inheritdoc/>
    public void Release(DropFile file) => _database.WriteOnce(
        "UPDATE \"ingest_file\" SET \"until_ns\" = 0, \"attempts\" = \"attempts\" - 1 WHERE \"path\" = @p0 AND \"owner\" = @p1 AND \"state\" = 'open'",
        StoreValue.Of(file.Path), StoreValue.Of(_owner));

    /// <inheritdoc/>
    public IReadOnlyList<string> Finish(IReadOnlyList<FinishedFile> files) => _database.Write<string[]>(() =>
    [
        .. files.Select(one =>
        {
            string? before = _database.Ask("SELECT \"source\" FROM \"ingest_file\" WHERE \"path\" = @p0", StoreValue.Of(one.File.Path)).Text;
            Settle(one.File, Done, one.Source, null);
            return before is null || string.Equals(before, one.Source, StringComparison.Ordinal)
                || _database.Ask("SELECT COUNT(*) FROM \"ingest_file\" WHERE \"source\" = @p0", StoreValue.Of(before)).Number > 0
                ? null
                : before;
        }).OfType<string>(),
    ]);

    /// <inheritdoc/>
    public void Reject(DropFile file, string reason) => Settle(file, Rejected, null, reason);

    void Settle(DropFile file, string state, string? source, string? reason) => _database.WriteOnce(
        """
        UPDATE "ingest_file" SET "state" = @p0, "source" = @p1, "reason" = @p2, "at_ns" = @p3, "until_ns" = NULL WHERE "path" = @p4 AND "owner" = @p5
        """,
        StoreValue.Of(state), StoreValue.Of(source), StoreValue.Of(reason), StoreValue.Of(Now), StoreValue.Of(file.Path), StoreValue.Of(_owner));

    void Write(DropFile file, long attempts, string? source)
    {
        _database.Execute("DELETE FROM \"ingest_file\" WHERE \"path\" = @p0", StoreValue.Of(file.Path));
        _database.Execute(
            "INSERT INTO \"ingest_file\" VALUES (@p0, @p1, @p2, @p3, 'open', @p4, @p5, @p6, @p7, NULL, @p8)",
            StoreValue.Of(file.Path), StoreValue.Of(file.Bytes), StoreValue.Of(file.ModifiedNanos), StoreValue.Of(RecordingRows.ProgramVersion.ToString()),
            StoreValue.Of(_owner), StoreValue.Of(Now + _leaseNanos), StoreValue.Of(attempts), StoreValue.Of(source), StoreValue.Of(Now));
    }

    Entry? Find(DropFile file)
    {
        using SqliteStatement statement = _database.Prepare(
            """
            SELECT "state", "until_ns", "attempts", "source", "bytes" = @p0 AND "modified_ns" = @p1 AND "program" = @p2, "owner" = @p3
            FROM "ingest_file" WHERE "path" = @p4
            """);
        statement.Bind(
        [
            StoreValue.Of(file.Bytes), StoreValue.Of(file.ModifiedNanos), StoreValue.Of(RecordingRows.ProgramVersion.ToString()),
            StoreValue.Of(_owner), StoreValue.Of(file.Path),
        ]);
        return statement.Step()
            ? new(statement.Value(0).Text!, statement.Value(1).Number, statement.Value(2).Number ?? 0, statement.Value(3).Text, statement.Value(4).Number == 1,
                statement.Value(5).Number == 1)
            : null;
    }

    // What is written down of a path; the same file where length, time and program are the same.
    sealed record Entry(string State, long? UntilNanos, long Attempts, string? Source, bool IsSame, bool IsOwn);
}
