using System;
using System.IO;
using TcpDiag.Scores.Bisections;
using Xunit;

namespace TcpDiag.Scores.Tests.Bisections;

public sealed class BisectFileTests : IDisposable
{
    const string Negative = "{\"item\":\"a\",\"seed\":1,\"figure\":-1,\"fault\":null}";
    const string OfAnother = "{\"item\":\"b\",\"seed\":1,\"figure\":1,\"fault\":null}";

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-bisect-").FullName;

    static BisectJournal Journal => new(BisectJournal.CurrentSchema, ["a", "b", "c"], ["measure"], [], 0.05, 0.05, 60, 1, []);

    string Path => System.IO.Path.Combine(_folder, "journal.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Write_ThenRead_GivesTheSame()
    {
        BisectJournal journal = Journal.With("c", new BisectRun("a", 1, 93.5, null)).With("c", new BisectRun("c", 1, null, "exit code 1"));
        BisectFile.Create(Path, journal).Dispose();
        Assert.Equal(BisectFile.Text(journal), BisectFile.Text(BisectFile.Read(Path)));
        Assert.False(File.Exists(Path + ".new"));
    }

    [Fact]
    public void TwoAtOnce_AreRefused_AndAfterwardsNot()
    {
        using (BisectFile.Create(Path, Journal))
        {
            Assert.Contains("another tcpdiag bisect is at work", Message(() => BisectFile.Open(Path)), StringComparison.Ordinal);
            Assert.Contains("another tcpdiag bisect is at work", Message(() => BisectFile.Remove(Path)), StringComparison.Ordinal);
            Assert.Equal(3, BisectFile.Read(Path).Items.Count);
        }

        Assert.Contains("a search is under way", Message(() => BisectFile.Create(Path, Journal)), StringComparison.Ordinal);
        BisectFile.Remove(Path);
        Assert.Empty(Directory.GetFiles(_folder));
        Assert.Contains("no search is under way", Message(() => BisectFile.Open(Path)), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder));
    }

    // What cannot be written leaves the old one: here a folder stands where the new one would be written.
    [Fact]
    public void Write_ThatFails_KeepsTheOldJournal()
    {
        using BisectFile file = BisectFile.Create(Path, Journal);
        Directory.CreateDirectory(Path + ".new");
        Assert.ThrowsAny<Exception>(() => file.Write(Journal.With("b", BisectVerdict.Good)));
        Assert.Empty(BisectFile.Read(Path).Steps);
    }

    [Theory]
    [InlineData("", "is no journal")]
    [InlineData("null", "(null)")]
    [InlineData("{\"schema\":\"tcpdiag/bisect/1\"}", "items")]
    [InlineData("[[[[", "is no journal")]
    public void Damaged_IsSaid(string text, string message) => Assert.Contains(message, Message(() => BisectFile.Parse("j", text)), StringComparison.Ordinal);

    [Theory]
    [InlineData("\"tcpdiag/bisect/1\"", "\"tcpdiag/bisect/2\"", "schema 'tcpdiag/bisect/2'")]
    [InlineData("\"a\"", "\"b\"", "an item twice")]
    [InlineData("\"maxPairs\": 60", "\"maxPairs\": 2000000000", "maxPairs 2000000000")]
    [InlineData("\"error\": 0.05", "\"error\": 0", "an error or a margin")]
    [InlineData("\"seed\": 1", "\"seed\": -1", "seed -1")]
    [InlineData("\"steps\": []", "\"steps\": [null]", "is no journal")]
    [InlineData("\"steps\": []", "\"steps\": [{\"item\":\"x\",\"given\":\"bad\",\"runs\":[]}]", "an item that is not in its list")]
    [InlineData("\"steps\": []", "\"steps\": [{\"item\":\"b\",\"given\":\"worse\",\"runs\":[]}]", "is no journal")]
    [InlineData("\"steps\": []", "\"steps\": [{\"item\":\"b\",\"given\":\"bad\",\"runs\":[]}]", "contradict each other")]
    [InlineData("\"steps\": []", "\"steps\": [{\"item\":\"c\",\"given\":null,\"runs\":[" + Negative + "]}]", "a figure of 0 or more")]
    [InlineData("\"steps\": []", "\"steps\": [{\"item\":\"c\",\"given\":null,\"runs\":[" + OfAnother + "]}]", "no pairs")]
    public void Damaged_Inside_IsSaid(string good, string bad, string message) => Assert.Contains(
        message, Message(() => BisectFile.Parse("j", BisectFile.Text(Journal).Replace(good, bad, StringComparison.Ordinal))), StringComparison.Ordinal);

    static string Message(Action action) => Assert.Throws<BisectException>(action).Message;

    static string Message(Func<object> action) => Assert.Throws<BisectException>(action).Message;
}
