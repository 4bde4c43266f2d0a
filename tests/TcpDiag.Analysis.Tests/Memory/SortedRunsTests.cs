using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Memory;
using TcpDiag.Traces.Input;
using Xunit;

namespace TcpDiag.Analysis.Tests.Memory;

/// <summary>What lies in temporary files because memory does not hold it.</summary>
public sealed class SortedRunsTests
{
    static readonly Comparer<(int Key, int Tail)> ByKey = Comparer<(int Key, int Tail)>.Create(static (one, other) => one.Key.CompareTo(other.Key));

    [Theory]
    [InlineData(1, 5_000)] // longer than a buffer of 2,048 records, and no multiple of one
    [InlineData(40, 2_048)]
    [InlineData(200, 3)]
    public void Merge_Runs_IsTheSortOfAll(int runs, int longest)
    {
        var random = new Random(longest);
        using var sorted = new SortedRuns<(int Key, int Tail)>(ByKey);
        var all = new List<(int Run, (int Key, int Tail) Record)>();
        for (int run = 0; run < runs; run++)
        {
            (int Key, int Tail)[] records = [.. Enumerable.Range(0, run == 0 ? longest : random.Next(longest)).Select(tail => (random.Next(1_000), tail)).Order(ByKey)];
            sorted.Add(records);
            all.AddRange(records.Select(record => (run, record)));
            Assert.Equal(records.Length, sorted.CountOf(run));
        }

        (int Run, (int Key, int Tail) Record)[] expected = [.. all.OrderBy(one => one.Record, ByKey)]; // stable: of equal ones those of the earlier run first
        Assert.Equal(all.Count, sorted.Count);
        Assert.Equal(expected, sorted.Merge());
        Assert.Equal(expected, sorted.Merge());
    }

    [Fact]
    public void Merge_NoRunsAndEmptyRuns_IsEmpty()
    {
        using var sorted = new SortedRuns<(int Key, int Tail)>(ByKey);
        Assert.Empty(sorted.Merge());
        sorted.Add([]);
        sorted.Add([]);
        Assert.Empty(sorted.Merge());
        Assert.Equal(2, sorted.Runs);
    }

    [Fact]
    public void PartNumbers_AddedInTurns_AreThoseOfEachPart()
    {
        int[] counts = [0, 1, 1_024, 1_025, 5_000];
        var random = new Random(7);
        int[] order = [.. counts.SelectMany((count, part) => Enumerable.Repeat(part, count))];
        random.Shuffle(order);
        var expected = counts.Select(_ => new List<int>()).ToList();
        using var numbers = new PartNumbers(counts);
        for (int number = 0; number < order.Length; number++)
        {
            Assert.Equal(expected[order[number]].Count, numbers.Add(order[number], number));
            expected[order[number]].Add(number);
        }

        Assert.All(expected, (list, part) => Assert.Equal(list, numbers.Of(part)));
    }

    [Fact]
    public void Comparer_OfFindings_OrdersThemAsSortDoes()
    {
        var random = new Random(3);
        string[] ids = [FindingIds.ZeroWindow, FindingIds.PathLoss, FindingIds.RtoStalls];
        double?[] seconds = [null, 0.5, 2];
        FindingFigures[] found =
        [
            .. Enumerable.Range(0, 2_000).Select(_ => FindingFigures.Of(new Finding(
                random.GetItems(ids, 1)[0], null, random.Next(2) == 0, (FindingSeverity)random.Next(3), random.GetItems(seconds, 1)[0], random.Next(2), () => null!)
            {
                IsDescription = random.Next(2) == 0,
            })),
        ];
        FindingFigures[] sorted = [.. found];
        FindingOrder.Sort(sorted);
        Assert.Equal(found.Order(FindingOrder.Comparer), sorted);
    }

    [Fact]
    public void Read_BehindTheEnd_IsTold()
    {
        using var file = TemporaryFile.Create("test");
        TemporaryFile.Write(file, [1, 2, 3], 5);
        byte[] bytes = new byte[3];
        TemporaryFile.Read(file, bytes, 5);
        Assert.Equal([1, 2, 3], bytes);
        var exception = Assert.Throws<TemporaryFileException>(() => TemporaryFile.Read(file, bytes, 6));
        Assert.StartsWith($"{TemporaryFile.Folder}: what does not fit memory cannot be kept there: ", exception.Message, StringComparison.Ordinal);
    }
}
