using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using TcpDiag.Cli.Explain;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Doctor.Answers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed partial class TroubleshootCommandTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    [Theory]
    [InlineData("en", "It is the other side, not this computer and not the network.\n  What: the receiving application did not read.\n")]
    [InlineData("de", "Es liegt an der anderen Seite, nicht an diesem Computer und nicht am Netz.\n  Ursache: das empfangende Programm las die Daten nicht.\n")]
    public void Troubleshoot_RecordedTrace_IsAnsweredInTheLanguage(string language, string expected)
    {
        int code = Run("troubleshoot", "--recorded", ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng"), "--language", language);
        Assert.Equal(12, code);
        Assert.StartsWith(expected, _output.ToString(), StringComparison.Ordinal);
        Assert.All(_output.ToString().Split('\n'), line => Assert.InRange(line.Length, 0, 80));
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Languages_HaveTheSameSentencesAndPlaceholders()
    {
        Sentences english = Sentences.In("en");
        Assert.All(Sentences.Languages, language =>
        {
            Sentences other = Sentences.In(language);
            Assert.Equal(english.All.Keys.Order(StringComparer.Ordinal), other.All.Keys.Order(StringComparer.Ordinal));
            Assert.All(english.All, sentence => Assert.Equal(Placeholders(sentence.Value), Placeholders(other.All[sentence.Key])));
            Assert.Equal(
                Topics.All.Where(topic => topic.Page is not null).Select(topic => topic.Names[0]).Order(StringComparer.Ordinal),
                other.Findings.Keys.Order(StringComparer.Ordinal));
        });
    }

    [Theory]
    [InlineData("de_DE.UTF-8", null, "de")]
    [InlineData("de", null, "de")]
    [InlineData("fr_FR.UTF-8", null, "en")]
    [InlineData("de_DE.UTF-8", "C", "en")] // LC_ALL decides before LANG
    [InlineData(null, null, "en")]
    public void Language_OfTheUser_IsThatOfPosix(string? lang, string? all, string expected) =>
        Assert.Equal(expected, Sentences.Of(name => name is "LANG" ? lang : name is "LC_ALL" ? all : null));

    [Theory]
    [InlineData("--url: expected http://… or https://…, found 'x'", "--url", "x")]
    [InlineData("--url and --host both say what is slow: give one of them", "--url", "http://h/", "--host", "h")]
    [InlineData("--limit: expected a time from 1s to 1h, found '5'", "--limit", "5")]
    [InlineData("--upload needs --url, which says where to", "--upload", "1mb")]
    [InlineData("--upload: expected a size up to 1gib such as 10mb, found '2gib'", "--url", "http://h/", "--upload", "2gib")]
    [InlineData("--yes is about what is recorded now, --recorded about what has been: give one of them", "--recorded", "a.etl", "--yes")]
    [InlineData("--host and --process both say what is slow: give one of them", "--process", "curl", "--host", "h")]
    [InlineData("--language: expected en or de, found 'fr'", "--language", "fr")]
    [InlineData("--apply needs --url: it changes this computer, and measures with what it fetches whether that helps", "--apply", "1")]
    [InlineData("--apply needs --url: it changes this computer, and measures with what it fetches whether that helps", "--recorded", "a.etl", "--apply", "1")]
    [InlineData("--apply: expected the number of a step, from 1 to 99, found '0'", "--url", "http://h/", "--apply", "0")]
    [InlineData("--undo takes back what --apply has changed, and nothing else: leave --url away", "--url", "http://h/", "--undo")]
    [InlineData("--undo takes back what --apply has changed, and nothing else: leave --apply away", "--apply", "1", "--undo")]
    [InlineData("--force is of --undo", "--force")]
    public void Troubleshoot_WrongOptions_AreWrongUsage(string expected, params string[] options)
    {
        Assert.Equal(ExitCode.Usage, Run(["troubleshoot", .. options]));
        Assert.Contains(expected, _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Troubleshoot_WithoutConsent_RecordsNothing()
    {
        string folder = Path.Combine(Path.GetTempPath(), $"tcpdiag-{Guid.NewGuid():N}");
        var surroundings = new Surroundings { Input = new StringReader("nein\n"), IsPrivileged = () => true };
        int code = new CommandLine(_output, _error, surroundings).Run(["troubleshoot", "--host", "127.0.0.1:9", "--out", folder, "--language", "de"]);

        Assert.Equal(ExitCode.Interrupted, code);
        Assert.False(Path.Exists(folder));
        Assert.Equal(
            [
                "Aufgezeichnet werden Paketköpfe (127.0.0.1:9) und was TCP meldet, keine Inhalte.",
                $"Alles bleibt auf diesem Computer, im Ordner {folder}. Nichts davon wird verschickt.",
                "Höchstens 268 MB in höchstens 1 min, meist viel weniger.",
                "An diesem Computer wird nichts verändert; die Aufzeichnung endet von selbst.",
                "Jetzt aufzeichnen? [j/N] tcpdiag: Es wurde nichts aufgezeichnet.",
            ],
            _error.ToString().TrimEnd('\n').Replace("\n  ", " ", StringComparison.Ordinal).Split('\n'));
    }

    [Theory]
    [InlineData("not a host!\nexample.org:8443\nn\n", "example.org:8443", 2)]
    [InlineData("https://example.org/file\n", "example.org:443", 1)] // it makes that happen itself
    [InlineData("\ny\n", "TCP", 2)]
    [InlineData("", "TCP", 2)] // nobody answers
    public void Troubleshoot_NothingNamed_IsAskedAtMostTwice(string answers, string recorded, int questions)
    {
        string folder = Path.Combine(Path.GetTempPath(), $"tcpdiag-{Guid.NewGuid():N}");
        var surroundings = new Surroundings { Input = new StringReader(answers), IsPrivileged = () => true };
        Assert.Equal(ExitCode.Interrupted, new CommandLine(_output, _error, surroundings).Run(["troubleshoot", "--out", folder, "--language", "en"]));

        string asked = _error.ToString();
        Assert.StartsWith("What is slow? (web address or host; Enter for everything): ", asked, StringComparison.Ordinal);
        Assert.Equal(questions is 2, asked.Contains("Is it slow right now, without your doing? [y/N] ", StringComparison.Ordinal));
        Assert.Equal(answers.StartsWith("not", StringComparison.Ordinal),
            asked.Contains("expected http://…, https://…, HOST or HOST:PORT, found 'not a host!'", StringComparison.Ordinal));
        Assert.Contains($"Recorded: packet headers ({recorded})", asked, StringComparison.Ordinal);
        Assert.False(Path.Exists(folder));
    }

    [Theory]
    [InlineData("en", 3_000_000, 6_000_000, 2, "3.00 MB of 6.00 MB, 12.0 Mbit/s, for 2 s")]
    [InlineData("de", 3_000_000, 6_000_000, 2, "3,00 MB von 6,00 MB, 12,0 Mbit/s, seit 2 s")]
    [InlineData("en", 0, 0, 60, "0 B, 0 bit/s, for 60 s")]
    public void Progress_OfATransfer_IsOneLine(string language, long bytes, long total, int seconds, string expected) =>
        Assert.Equal(expected, TransferProgress.Text(Sentences.In(language), bytes, total, TimeSpan.FromSeconds(seconds)));

    [Fact]
    public void HttpTraffic_Download_TellsHowFarItIs()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        var serving = new Thread(() =>
        {
            using Socket socket = server.AcceptSocket();
            _ = socket.Receive(new byte[4096]);
            socket.Send(Encoding.ASCII.GetBytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"));
        });
        serving.Start();
        List<(long, long)> told = [];
        TransferResult result = HttpTraffic.Run(
            new($"http://{server.LocalEndpoint}/"), uploadBytes: null, Patience.Limit, CancellationToken.None, (bytes, total) =>
                told.Add((bytes, total)));
        Assert.True(serving.Join(Patience.Limit));
        Assert.Equal((5, null), (result.Bytes, result.Error));
        Assert.Equal((5, 5), told[^1]);
    }

    // What comes until the limit is more than fits; what stopped coming failed.
    [Theory]
    [InlineData(300, 1000, TransferEnd.CutShort)]
    [InlineData(1, 3000, TransferEnd.Failed)]
    public void HttpTraffic_AtItsLimit_FailedOnlyWhereNothingCame(int pieces, int limitMs, TransferEnd expected)
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        using var over = new ManualResetEventSlim();
        var serving = new Thread(() => Trickle(server, pieces, over));
        serving.Start();
        TransferResult result = HttpTraffic.Run(
            new($"http://{server.LocalEndpoint}/"), uploadBytes: null, TimeSpan.FromMilliseconds(limitMs), CancellationToken.None);
        over.Set();
        Assert.True(serving.Join(Patience.Limit));
        Assert.Equal(expected, result.End);
    }

    static void Trickle(TcpListener server, int pieces, ManualResetEventSlim over)
    {
        using Socket socket = server.AcceptSocket();
        try
        {
            _ = socket.Receive(new byte[4096]);
            socket.Send(Encoding.ASCII.GetBytes("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n"));
            for (int i = 0; i < pieces && !over.Wait(TimeSpan.FromMilliseconds(20)); i++)
            {
                socket.Send(new byte[10]);
            }
        }
        catch (SocketException)
        {
            return; // the client has left, which is what it is to do at its limit
        }

        over.Wait(Patience.Limit);
    }

    [Fact]
    public void Troubleshoot_WithoutRights_SaysHowToGetThem()
    {
        var surroundings = new Surroundings { Input = new StringReader(string.Empty), IsPrivileged = () => false };
        Assert.Equal(ExitCode.Failed, new CommandLine(_output, _error, surroundings).Run(["troubleshoot", "--language", "en"]));
        Assert.StartsWith("tcpdiag: That needs administrator's rights. Start again with: ", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Undo_WithoutRights_SaysHowToGetThem()
    {
        var surroundings = new Surroundings { IsPrivileged = () => false };
        Assert.Equal(ExitCode.Failed, new CommandLine(_output, _error, surroundings).Run(["troubleshoot", "--undo", "--language", "en"]));
        Assert.StartsWith("tcpdiag: That needs administrator's rights. Start again with: ", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Undo_WhereNothingWasChanged_SaysSo()
    {
        var surroundings = new Surroundings { IsPrivileged = () => true, StateRoot = () => Path.Combine(Path.GetTempPath(), $"tcpdiag-{Guid.NewGuid():N}") };
        Assert.Equal(ExitCode.Done, new CommandLine(_output, _error, surroundings).Run(["troubleshoot", "--undo", "--language", "de"]));
        Assert.Equal("Es gibt nichts zurückzunehmen.\n", _output.ToString());
    }

    [Fact]
    public void Troubleshoot_FolderThatIsThere_IsWrongUsage()
    {
        Assert.Equal(ExitCode.Usage, Run("troubleshoot", "--yes", "--out", Path.GetTempPath()));
        Assert.Contains("is there already: name another --out", _error.ToString(), StringComparison.Ordinal);
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);

    static IEnumerable<string> Placeholders(string sentence) => Placeholder().Matches(sentence).Select(found => found.Value).Order(StringComparer.Ordinal);

    [GeneratedRegex(@"\{\d\}", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Placeholder();
}

/// <summary>As a customer meets it: a real transfer over an emulated path, recorded and answered unattended (troubleshoot.sh).</summary>
[Trait("Needs", "time")]
public sealed partial class TroubleshootPathTests
{
    const int Network = 11;

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void Healthy_Path_NothingIsToBeChanged()
    {
        string answer = Answer("healthy", ExitCode.Done);
        Assert.Contains("Nothing in this recording needs mending.", answer, StringComparison.Ordinal);
        Assert.Contains("Nothing is to be changed.", answer, StringComparison.Ordinal);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void LossyPath_TheNetworkIsBlamed() => Assert.Contains("What: the path loses packets.", Answer("path-loss", Network), StringComparison.Ordinal);

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void ReorderingPath_TheNetworkIsBlamed() => Assert.Contains("reordering", Answer("reordering", Network), StringComparison.Ordinal);

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void BlackHole_TheNetworkIsBlamedAndTheCheckSaysWhy() =>
        Assert.Contains("vanish without a", Answer("silent-black-hole", Network), StringComparison.Ordinal);

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void StandingQueue_TheNetworkIsBlamed() =>
        Assert.Contains("What: a queue stands while data flows", Answer("bufferbloat", Network), StringComparison.Ordinal);

    // The upload and the limit go on for long; the losses are clear soon.
    [RootFact("unshare", "ip", "iptables", "python3")]
    public void LossyPath_RecordingEndsWhenEnoughWasSeen()
    {
        Assert.Contains("What: the path loses packets.", Answer("enough", Network, out string error), StringComparison.Ordinal);
        Assert.Matches(@"\nRecording for at most 1 min\.\nEnough was seen after \S+ s\.\n", error);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void HealthyPath_TransferThatIsLongerThanTheLimitIsNoFailure()
    {
        Assert.StartsWith("Nothing in this recording needs mending.", Answer("longer", ExitCode.Done, out string error), StringComparison.Ordinal);
        Assert.EndsWith("\nThat is the limit; the rest was not waited for.\n", error.TrimEnd('\n') + '\n', StringComparison.Ordinal);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void SmallReceiveBuffer_TransferOfHundredMegabytesEndsWhenEnoughWasSeen()
    {
        Assert.Contains("What: the receive window", Answer("enough-url", ExitCode.ThisComputer, out string error), StringComparison.Ordinal);
        Assert.Matches(@"\nFetched [0-9.]+ MB in \S+ s\.\nEnough was seen after \S+ s\.\n", error);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void SmallReceiveBuffer_ThisComputerIsBlamedAndTheSettingNamed()
    {
        string answer = Answer("small-window", ExitCode.ThisComputer);
        Assert.Contains("command: sysctl -w net.ipv4.tcp_rmem=\"4096 16384 6291456\"\n", answer, StringComparison.Ordinal);
        Assert.Contains("undo:    sysctl -w net.ipv4.tcp_rmem=\"4096 16384 32768\"\n", answer, StringComparison.Ordinal);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void Apply_SettingThatIsTheCause_HelpsStaysAndIsUndone()
    {
        string[] lines = Told(Answer("apply", ExitCode.Done))[^6..];
        Assert.Matches(@"^It helps: took \S+ m?s without it and \S+ m?s with it: \S+ to \S+ times as fast \(6 pairs of transfers, 97 % sure\)\.$", lines[0]);
        Assert.Equal(
            [
                "It stays as it is now. tcpdiag troubleshoot --undo takes it back, which is:",
                "sysctl -w net.ipv4.tcp_rmem=\"4096 16384 32768\"",
                "net.ipv4.tcp_rmem = 4096\t16384\t6291456",
                "Taken back: sysctl -w net.ipv4.tcp_rmem=\"4096 16384 32768\"",
                "net.ipv4.tcp_rmem = 4096\t16384\t32768",
            ],
            lines[1..]);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void Apply_SettingThatDoesNotMatter_IsTakenBack()
    {
        string[] lines = Told(Answer("apply-useless", ExitCode.CheckFailed))[^4..];
        Assert.StartsWith("It does not help noticeably: took ", lines[0], StringComparison.Ordinal);
        Assert.Equal(["net.ipv4.tcp_rmem = 4096\t16384\t32768", "There is nothing to take back.", "net.ipv4.tcp_rmem = 4096\t16384\t32768"], lines[1..]);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void Apply_Killed_IsTakenBackByTheNextStart()
    {
        string output = Answer("apply-killed", ExitCode.Done, out string error);
        Assert.Contains("net.ipv4.tcp_rmem = 4096\t16384\t6291456\nIt is the other side, not this computer", output, StringComparison.Ordinal);
        Assert.EndsWith("net.ipv4.tcp_rmem = 4096\t16384\t32768\n", output, StringComparison.Ordinal);
        Assert.EndsWith(
            "An earlier --apply was interrupted.\nTaken back: sysctl -w net.ipv4.tcp_rmem=\"4096 16384 32768\"\n", error, StringComparison.Ordinal);
    }

    [RootFact("unshare", "ip", "iptables", "python3")]
    public void SlowServer_TheFarEndIsBlamed() =>
        Assert.Contains("What: the server took long to begin its answers.", Answer("slow-answers", 12), StringComparison.Ordinal);

    // Long sentences go on in lines of their own.
    static string[] Told(string output) => [.. Continuation().Replace(output, " ").TrimEnd('\n').Split('\n').Select(line => line.TrimStart())];

    [GeneratedRegex(@"(?<!:)\n {2}(?=\S)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Continuation();

    static string Answer(string path, int code) => Answer(path, code, out _);

    static string Answer(string path, int code, out string error)
    {
        string results = Path.Combine(Path.GetTempPath(), $"tcpdiag-{Guid.NewGuid():N}");
        try
        {
            ProgramResult result = ExternalProgram.TryRun(
                "unshare",
                ["-mn", "sh", ProjectFolder.PathOf("tests", "TcpDiag.Cli.Tests", "troubleshoot.sh"), Path.Join(AppContext.BaseDirectory, "tcpdiag"), path,
                    results],
                Patience.Limit);
            error = result.Error;
            Assert.True(code == result.ExitCode, $"{result.ExitCode}\n{result.Output}\n{result.Error}");
            Assert.Equal(["answer.html", "answer.txt", "recording.tcpdiag", "report.html", "ticket.txt"],
                Directory.GetFiles(results).Select(Path.GetFileName).Order(StringComparer.Ordinal));
            string[] ticket = File.ReadAllLines(Path.Combine(results, "ticket.txt"));
            Assert.InRange(ticket.Length, 3, 10);
            Assert.DoesNotContain("10.200.0.2", File.ReadAllText(Path.Combine(results, "report.html")), StringComparison.Ordinal);
            return result.Output;
        }
        finally
        {
            if (Directory.Exists(results))
            {
                Directory.Delete(results, recursive: true);
            }
        }
    }
}
