using System;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Fuzz.Tests;

public sealed class FuzzTests
{
    // One million in all, spread over the targets.
    const int LongInputs = 1_000_000;
    const int ShortInputs = 70_000;
    const int FixedSeed = 20_261_121;

    public static TheoryData<string> Targets => [.. FuzzTargets.All.Select(target => target.Name)];

    [Theory]
    [MemberData(nameof(Targets))]
    public void Read_DamagedInputs_OnlyThrowsTraceFormatException(string target) =>
        FuzzRun.Run(Target(target), (SkipReason.IsLong ? LongInputs : ShortInputs) / FuzzTargets.All.Count, FixedSeed);

    [Theory]
    [MemberData(nameof(Targets))]
    public void Read_Seeds_FindsRecords(string target)
    {
        FuzzTarget chosen = Target(target);
        Assert.True(chosen.Seeds.Sum(seed => FuzzRun.Try(chosen, seed, "seed")) >= chosen.Seeds.Count);
    }

    [Fact]
    public void Read_EarlierCrashers_Hold() =>
        Assert.All(Directory.GetFiles(ProjectFolder.PathOf("tests", "corpus"), "*.bin"), file => FuzzRun.Try(TargetOf(Path.GetFileName(file)), File.ReadAllBytes(file), Path.GetFileName(file)));

    static FuzzTarget TargetOf(string file) =>
        FuzzTargets.All.Where(target => file.StartsWith(target.Name + "-", StringComparison.Ordinal)).MaxBy(target => target.Name.Length)!;

    static FuzzTarget Target(string name) => FuzzTargets.All.Single(target => string.Equals(target.Name, name, StringComparison.Ordinal));
}
