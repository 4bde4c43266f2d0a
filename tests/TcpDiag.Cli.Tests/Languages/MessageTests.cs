using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Analysis.Findings;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Doctor;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Cli.Tests.Languages;

public sealed partial class MessageTests
{
    static readonly Sentences German = Sentences.In("de");
    static readonly Phrases Phrases = German.Phrases!;

    [Fact]
    public void Messages_OfChecksAndTransfers_AllHaveAGermanOne()
    {
        string[] made = [.. MessagesOf.Assembly(typeof(Check).Assembly).Union(MessagesOf.Assembly(typeof(Sentences).Assembly), StringComparer.Ordinal).Where(
            HasWords)];
        Assert.DoesNotContain(made, template => template.StartsWith('?'));
        Assert.InRange(made.Length, 80, 400);
        Assert.Equal(made.Order(StringComparer.Ordinal), Phrases.Messages.Keys.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Advice_OfEveryRule_HasAGermanOne()
    {
        IReadOnlyCollection<string> rules = AdviceOf.Rules();
        Assert.InRange(rules.Count, 120, 400);
        Assert.All(rules, line => Assert.True(Phrases.Advice.ContainsKey(line), line));
    }

    [Fact]
    public void Phrases_German_FillTheSameHolesAndNameTheSameSettings() => Assert.All(Phrases.Messages.Concat(Phrases.Advice), entry =>
    {
        Assert.Equal(Holes(entry.Key), Holes(entry.Value));
        Assert.All(Technical().Matches(entry.Key).Select(found => found.Value.TrimEnd('.')), word =>
            Assert.Contains(word, entry.Value, StringComparison.Ordinal));
    });

    [Theory]
    [InlineData("Linux server: perf trace -p PID, strace -f -T -p PID.", "Linux-Server: perf trace -p PID, strace -f -T -p PID.")]
    [InlineData("Linux client: net.ipv4.tcp_dsack=1.", "Linux-Client: net.ipv4.tcp_dsack=1.")]
    [InlineData(
        "Application on the server: find the limit of 30 s in its settings (client library, proxy, load balancer); raise it, or make it count from the last "
            + "byte received.",
        "Anwendung auf dem Server: suchen Sie in ihren Einstellungen das Zeitlimit von 30 s (Client-Bibliothek, Proxy, Load Balancer); erhöhen Sie es, oder "
            + "lassen Sie es "
            + "ab dem letzten empfangenen Byte zählen.")]
    public void Advice_WithItsValues_IsFoundByItsPattern(string english, string expected) => Assert.Equal(expected, German.Say(Message.Whole(english)));

    public static TheoryData<string, string, string, string> Facts => new()
    {
        { JudgedSettings.SysctlsSection, string.Empty, JudgedSettings.WindowScaling, "0" },
        { JudgedSettings.SysctlsSection, string.Empty, JudgedSettings.Sack, "0" },
        { JudgedSettings.SysctlsSection, string.Empty, JudgedSettings.Dsack, "0" },
        { JudgedSettings.SysctlsSection, string.Empty, JudgedSettings.Timestamps, "0" },
        { JudgedSettings.SysctlsSection, string.Empty, JudgedSettings.ModerateRcvBuf, "0" },
        { JudgedSettings.InterfacesSection, "eth0", JudgedSettings.FlowDirectorAtr, "on" },
        { JudgedSettings.TemplatesSection, "Internet", JudgedSettings.AutoTuningLevelLocal, "0" },
        { JudgedSettings.TemplatesSection, "Internet", JudgedSettings.AutoTuningLevelLocal, "1" },
        { JudgedSettings.TemplatesSection, "Internet", JudgedSettings.AutoTuningLevelLocal, "2" },
        { JudgedSettings.TcpRegistrySection, string.Empty, JudgedSettings.SackOpts, "0" },
        { JudgedSettings.AfdRegistrySection, string.Empty, JudgedSettings.DefaultSendWindow, "8192" },
        { JudgedSettings.AfdRegistrySection, string.Empty, JudgedSettings.DynamicSendBufferDisable, "1" },
        { JudgedSettings.AfdRegistrySection, string.Empty, JudgedSettings.DefaultReceiveWindow, "8192" },
        { JudgedSettings.BindingsSection, "Ethernet 2 vendor_filter", JudgedSettings.Enabled, "true" },
    };

    // The notes of a machine are texts with their values in them, too.
    [Theory]
    [MemberData(nameof(Facts))]
    public void Notes_OfAMachine_AreSaidInGerman(string section, string subject, string name, string value)
    {
        var snapshot = new SystemSnapshot(SystemSnapshot.SchemaName, default, "x", [new(section, string.Empty, 0, null, [new(subject, name, value)])]);
        MachineNote note = Assert.Single(MachineSummary.Of(snapshot).Notes);
        Assert.All([note.What, note.Advice], english =>
        {
            string german = German.Say(Message.Whole(english));
            Assert.NotEqual(english, german);
            Assert.DoesNotMatch(@"\b(is|are|the|restricted|remove|machine)\b", german);
        });
    }

    [Fact]
    public void Message_NumbersAndNestedMessages_AreSaidInTheLanguage()
    {
        Message inner = $"no answer within {2.5} s";
        Message outer = $"name server {"x{y}"}: {inner} after {1234.5:0.0} ms";
        Assert.Equal("name server x{y}: no answer within 2.5 s after 1234.5 ms", outer.Text);
        Assert.Equal("Nameserver x{y}: keine Antwort innerhalb von 2,5 s, nach 1234,5 ms", German.Say(outer));
        Assert.Equal("1,5 ms von 3", German.Say((Message)$"{new Figure("1.5 ms")} of {3}"));
    }

    static bool HasWords(string template) => template.Any(char.IsLetter);

    static IEnumerable<string> Holes(string template) => Hole().Matches(template).Select(found => found.Value).Order(StringComparer.Ordinal);

    [GeneratedRegex(@"\{\d\}", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Hole();

    // What is typed or looked up: net.ipv4.tcp_sack=1, Get-NetTCPSetting, --set-priv-flags, SO_RCVBUF, SackOpts, Tcpip\Parameters.
    [GeneratedRegex(
        @"[A-Za-z0-9]+([_.\\][A-Za-z0-9_.\\]+)+(=\d+)?|\b(Get|Set|New)-[A-Z]\w+|--[a-z-]+|\b[A-Z]+_[A-Z_]+|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+",
        RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Technical();
}
