using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Fuzz.Tests;

public sealed class FuzzTests
{
    // One million in all, spread over the targets.
    const int LongInputs = 1_000_000;
    const int ShortInputs = 70_000;
    const int QuickInputs = 7_000;
    const int FixedSeed = 20_261_121;

    static int Inputs => SkipReason.IsLong ? LongInputs : SkipReason.IsQuick ? QuickInputs : ShortInputs;

    public static TheoryData<string> Targets => [.. FuzzTargets.All.Select(target => target.Name)];

    [Theory]
    [MemberData(nameof(Targets))]
    public void Read_DamagedInputs_OnlyThrowsTraceFormatException(string target) =>
        FuzzRun.Run(Target(target), Inputs / FuzzTargets.All.Count, FixedSeed);

    [Theory]
    [MemberData(nameof(Targets))]
    public void Read_Seeds_FindsRecords(string target)
    {
        FuzzTarget chosen = Target(target);
        Assert.True(chosen.Seeds.Sum(seed => FuzzRun.Try(chosen, seed, "seed")) >= chosen.Seeds.Count);
    }

    // One in one event and one in two at an adapter, one at a switch port, three sights by PktMon, one over NdisWan; that of a filter layer is left out.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void EtlSeed_Undamaged_HoldsPacketsAndEventsOfTheStack(int index)
    {
        using EtlTraceReader reader = EtlTraceReader.Open(new MemoryTraceInput(EtlSeeds.Make()[index]));
        var counts = new Dictionary<TraceRecordKind, int>();
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            counts[record.Kind] = counts.GetValueOrDefault(record.Kind) + 1;
        }

        Assert.Equal(7, counts[TraceRecordKind.Packet]);
        Assert.InRange(counts[TraceRecordKind.StackEvent], 20, 60);
    }

    [Fact]
    public void Read_EarlierCrashers_Hold() =>
        Assert.All(Directory.GetFiles(ProjectFolder.PathOf("tests", "corpus"), "*.bin"),
            file => FuzzRun.Try(TargetOf(Path.GetFileName(file)), File.ReadAllBytes(file), Path.GetFileName(file)));

    static FuzzTarget TargetOf(string file) =>
        FuzzTargets.All.Where(target => file.StartsWith(target.Name + "-", StringComparison.Ordinal)).MaxBy(target => target.Name.Length)!;

    static FuzzTarget Target(string name) => FuzzTargets.All.Single(target => string.Equals(target.Name, name, StringComparison.Ordinal));
}
