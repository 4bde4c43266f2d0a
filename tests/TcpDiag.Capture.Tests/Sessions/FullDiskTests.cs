using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>
/// A journal that cannot be written any more: what runs is stopped all the same, and it is said. The folders of recordings lie in a small file system
/// that the recorder alone sees. It has room by the page, so that the line that does not fit must be the one that crosses the end of a page: a long
/// name in the first line moves it there.
/// </summary>
public sealed class FullDiskTests : IDisposable
{
    const int PageBytes = 4096;

    // Of the line that does not fit: times differ by some digits from run to run.
    const int BytesThatFit = 40;

    readonly StandInRun _run;

    public FullDiskTests()
    {
        _run = new(["unshare", "--mount", "sh", "-c", "mkdir -p $3 && mount -t tmpfs -o size=256k,mode=700 tmpfs $3 "
            + "&& exec $0 \"$@\"", Path.Combine(AppContext.BaseDirectory, "standins")], path => path);
        _run.Output = Path.ChangeExtension(_run.Output, ".tcpdiag");
    }

    public void Dispose() => _run.Dispose();

    // What follows in the journal is readable: the half line has gone.
    [RootFact("unshare", "mount")]
    public void Record_JournalIsFullWhenItStops_StopsAllTheSame()
    {
        string name = NameThatMoves("Stopping");
        _run.Machine.Script("full-after-start", _run.Root);

        Assert.Equal(0, _run.Record("process=" + name));
        Assert.Contains(
            _run.Lines,
            line => line.StartsWith("remark: the journal could not be written when the recording was stopping: ", StringComparison.Ordinal));
        Assert.DoesNotContain(_run.Lines, line => line.Contains("is left", StringComparison.Ordinal));
        Assert.Equal("netsh trace stop", _run.Machine.Calls[^1]);
        Assert.Empty(_run.Machine.Sessions());
        Assert.Equal(["Recording", "Stopped", "Collecting"], Journal()
            .Select(line => JsonDocument.Parse(line).RootElement.GetProperty("step").GetString()).TakeLast(3));
    }

    [RootFact("unshare", "mount")]
    public void Record_JournalIsFullWhenItHasStarted_StopsAndSaysSo()
    {
        string name = NameThatMoves("Recording");
        File.Delete(_run.Output);
        _run.Machine.Script("full-after-start", _run.Root);

        Assert.Equal(1, _run.Record("process=" + name));
        Assert.StartsWith($"the recording was given up: {_run.Root}", _run.Said("error"), StringComparison.Ordinal);
        Assert.Contains("journal.jsonl cannot be written: ", _run.Said("error"), StringComparison.Ordinal);
        Assert.Equal("netsh trace stop", _run.Machine.Calls[^1]);
        Assert.Empty(_run.Machine.Sessions());
        Assert.False(File.Exists(_run.Output));
    }

    // By a recording that has room.
    string NameThatMoves(string step)
    {
        Assert.Equal(0, _run.Record("process=n"));
        int before = Journal().TakeWhile(line => !line.Contains($"\"step\":\"{step}\"", StringComparison.Ordinal))
            .Sum(line => Encoding.UTF8.GetByteCount(line) + 1);
        return new('n', PageBytes - BytesThatFit - (before % PageBytes));
    }

    string[] Journal()
    {
        using ZipArchive bundle = ZipFile.OpenRead(_run.Output);
        using var journal = new StreamReader(bundle.GetEntry("journal.jsonl")!.Open());
        return journal.ReadToEnd().TrimEnd('\n').Split('\n');
    }
}
