using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Tests;

/// <summary>What ails a made-up fleet.</summary>
/// <param name="Seed">Of all chances.</param>
/// <param name="Machines">How many; each is of one build and has one adapter.</param>
/// <param name="Weeks">How many weeks.</param>
/// <param name="Transfers">Transfers of a machine in a week.</param>
sealed record FleetPlan(int Seed, int Machines, int Weeks, int Transfers)
{
    /// <summary>Factor on the goodput of the last build at the longest round trips; 1 for none.</summary>
    public double Regression { get; init; } = 1;

    /// <summary>Factor on the goodput of the last build on all paths; 1 for none.</summary>
    public double AllPaths { get; init; } = 1;

    /// <summary>Whether the last adapter reorders: its machines lose time to it.</summary>
    public bool HasBadNic { get; init; }

    /// <summary>Factor on the goodput of the first build in the last week.</summary>
    public double LastWeek { get; init; } = 1;

    /// <summary>Whether rows have all that a recording of packets has, and connections have rows too; their arrays are used again for the next row.</summary>
    public bool IsFull { get; init; }
}

/// <summary>
/// Made-up fleets: machines, each with a speed of its own, over weeks. Transfers of a machine have in common what it is, and differ by chance; so do weeks of
/// one machine.
/// </summary>
static class MadeFleet
{
    static readonly string[] Builds = ["19045", "22000", "22621", "22631", "26100", "26200"];
    static readonly string[] Nics = ["nic-a", "nic-b", "nic-c"];
    static readonly long[] RoundTrips = [1_000_000, 20_000_000, 120_000_000];

    static readonly DateTimeOffset FirstMonday = new(2026, 8, 31, 6, 0, 0, TimeSpan.Zero);

    /// <summary>The results of a fleet: one recording for each machine and week.</summary>
    public static IEnumerable<ResultRows> Results(FleetPlan plan)
    {
        for (int machine = 0; machine < plan.Machines; machine++)
        {
            for (int week = 0; week < plan.Weeks; week++)
            {
                yield return Recording(plan, machine, week);
            }
        }
    }

    static ResultRows Recording(FleetPlan plan, int machine, int week)
    {
        string build = Builds[machine % Builds.Length];
        string nic = Nics[machine / Builds.Length % Nics.Length];
        long began = (FirstMonday.AddDays(7 * week) - DateTimeOffset.UnixEpoch).Ticks * 100;
        var head = new RowHead(FormattableString.Invariant($"{plan.Seed:x8}{machine:x28}{week:x28}"), began, FormattableString.Invariant($"m-{machine:d4}"),
            null, "windows", build, nic);
        var random = new Random(HashCode(plan.Seed, machine, week));
        double own = Math.Exp(0.2 * Normal(new Random(HashCode(plan.Seed, machine, -1))));
        double speed = own * Math.Exp(0.05 * Normal(random))
            * (string.Equals(build, Builds[^1], StringComparison.Ordinal) ? plan.AllPaths : 1)
            * (string.Equals(build, Builds[0], StringComparison.Ordinal) && week == plan.Weeks - 1 ? plan.LastWeek : 1);
        bool isBad = plan.HasBadNic && string.Equals(nic, Nics[^1], StringComparison.Ordinal);
        long lost = (long)(1e9 * plan.Transfers * (isBad ? 0.5 : 0.1) * Math.Exp(0.3 * Normal(random)));
        RowBatch recording = new MadeRow(StoreSchema.Recordings, head).With("is_simulated", 0).With("connections", plan.Transfers).Once();
        RowBatch finding = new MadeRow(StoreSchema.Findings, head).With("position", 0).With("finding", isBad ? "path-reordering" : "path-loss")
            .With("lost_ns", lost).With("is_description", 0).Once();
        int seed = random.Next();
        var directions = new RowBatch(StoreSchema.Directions, Directions(plan, head, speed, seed));
        return new(ResultKind.Analysis, head, new Version(1, 0), plan.IsFull
            ? [recording, finding, directions, new(StoreSchema.Find("connection")!, Connections(plan, head, seed))]
            : [recording, finding, directions]);
    }

    static IEnumerable<StoreValue[]> Directions(FleetPlan plan, RowHead head, double speed, int seed)
    {
        var random = new Random(seed);
        MadeRow row = new MadeRow(StoreSchema.Directions, head).With("sender", "client").With("active_ns", 2_000_000_000).With("delivery_burst_bps", 100_000_000)
            .With("unique_bytes", 10_000_000);
        if (plan.IsFull)
        {
            row.FillDirection();
        }

        (int connection, int roundTrip, int goodput) = (row.IndexOf("connection"), row.IndexOf("round_trip_min_ns"), row.IndexOf("goodput_bps"));
        for (int number = 0; number < plan.Transfers; number++)
        {
            int path = number % RoundTrips.Length;
            bool isSlower = string.Equals(head.Build, Builds[^1], StringComparison.Ordinal) && path == RoundTrips.Length - 1;
            row.Values[connection] = StoreValue.Of(number);
            row.Values[roundTrip] = StoreValue.Of(RoundTrips[path]);
            row.Values[goodput] = StoreValue.Of((long)(40e6 * speed * Math.Exp(0.3 * Normal(random)) * (isSlower ? plan.Regression : 1)));
            if (plan.IsFull)
            {
                row.Vary(random);
            }

            yield return plan.IsFull ? row.Values : [.. row.Values];
        }
    }

    static IEnumerable<StoreValue[]> Connections(FleetPlan plan, RowHead head, int seed)
    {
        var random = new Random(seed);
        MadeRow row = new MadeRow(StoreSchema.Find("connection")!, head).With("server_port", 443).With("server_address", "10.1.2.3").With("client_address", "10.9.8.7")
            .With("process", "browser").With("handshake_complete", 1).With("syn_retransmissions", 0).With("end", "fin").With("vantage", "client").With("evidence", "packets");
        row.FillConnection();
        int connection = row.IndexOf("connection");
        for (int number = 0; number < plan.Transfers; number++)
        {
            row.Values[connection] = StoreValue.Of(number);
            row.Vary(random);
            yield return row.Values;
        }
    }

    // Mixed well, as the first numbers of System.Random follow its seed in a straight line: the finalizer of MurmurHash3.
    static int HashCode(int seed, int machine, int week)
    {
        uint hash = unchecked((uint)((((seed * 1_000_003) + machine) * 1009) + week + 1));
        hash = unchecked((hash ^ (hash >> 16)) * 0x85EBCA6B);
        hash = unchecked((hash ^ (hash >> 13)) * 0xC2B2AE35);
        return (int)((hash ^ (hash >> 16)) & int.MaxValue);
    }

    // Box and Muller 1958.
    static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}

/// <summary>A row that is made column by column.</summary>
sealed class MadeRow
{
    readonly StoreTable _table;
    readonly List<(int Column, long From, long To)> _varying = [];

    public MadeRow(StoreTable table, RowHead head)
    {
        _table = table;
        Values = new StoreValue[table.Columns.Count];
        foreach ((StoreColumn column, Func<RowHead, StoreValue> value) in RowHead.Columns)
        {
            Values[IndexOf(column.Name)] = value(head);
        }
    }

    public StoreValue[] Values { get; }

    public int IndexOf(string column) => _table.Columns.ToList().FindIndex(one => string.Equals(one.Name, column, StringComparison.Ordinal));

    public MadeRow With(string column, long value)
    {
        Values[IndexOf(column)] = StoreValue.Of(value);
        return this;
    }

    public MadeRow With(string column, string value)
    {
        Values[IndexOf(column)] = StoreValue.Of(value);
        return this;
    }

    public RowBatch Once() => new(_table, [Values]);

    /// <summary>What a recording of packets has of one direction: counts that are mostly 0, and figures that differ from row to row.</summary>
    public void FillDirection()
    {
        foreach (StoreColumn column in _table.Columns.Where(column => column.Kind == ColumnKind.Number && Values[IndexOf(column.Name)].IsNone
            && !column.Name.StartsWith("counted", StringComparison.Ordinal) && !column.Name.StartsWith("cwnd", StringComparison.Ordinal)))
        {
            With(column.Name, 0);
        }

        With("evidence", "packets").With("loss_evidence", "packets").With("mss", 1460).With("slow_start", "reduction").With("limited_evidence", "packets");
        Varies("packets", 2000, 9000).Varies("frame_bytes", 1_000_000, 12_000_000).Varies("wire_segments", 2000, 9000).Varies("payload_bytes", 100_000, 11_000_000)
            .Varies("retransmissions", 0, 40).Varies("rtx_fast", 0, 30).Varies("loss_packets", 0, 40).Varies("loss_samples", 2000, 9000)
            .Varies("duplicate_acks", 0, 90).Varies("dsacks", 0, 3).Varies("rtt_min_ns", 1_000_000, 2_000_000).Varies("rtt_median_ns", 2_000_000, 6_000_000)
            .Varies("rtt_p95_ns", 6_000_000, 30_000_000).Varies("rtt_samples", 800, 4000).Varies("max_in_flight_bytes", 100_000, 3_000_000)
            .Varies("delivery_best_bps", 40_000_000, 90_000_000).Varies("limited_application_ns", 0, 900_000_000).Varies("limited_congestion_window_ns", 0, 900_000_000)
            .Varies("limited_recovery_ns", 0, 90_000_000).Varies("receive_window_max_bytes", 60_000, 4_000_000);
    }

    /// <summary>What a recording of packets has of a connection.</summary>
    public void FillConnection() => Varies("client_port", 49152, 65535).Varies("process_id", 100, 9000).Varies("begin_ns", 1_788_000_000_000_000_000, 1_788_600_000_000_000_000)
        .Varies("duration_ns", 1_000_000, 9_000_000_000).Varies("handshake_rtt_ns", 1_000_000, 130_000_000).Varies("round_trip_min_ns", 1_000_000, 120_000_000)
        .Varies("round_trip_median_ns", 1_000_000, 130_000_000).Varies("round_trip_p95_ns", 2_000_000, 200_000_000).Varies("round_trip_samples", 10, 4000);

    /// <summary>Sets what differs from row to row.</summary>
    public void Vary(Random random)
    {
        foreach ((int column, long from, long to) in _varying)
        {
            Values[column] = StoreValue.Of(random.NextInt64(from, to));
        }
    }

    MadeRow Varies(string column, long from, long to)
    {
        _varying.Add((IndexOf(column), from, to));
        return this;
    }
}
