using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading;
using TcpDiag.Redaction.Bundles;
using TcpDiag.Redaction.Verification;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Redaction.Tests;

public sealed class BundleRedactorTests : IDisposable
{
    readonly string _path = Path.GetTempFileName();
    readonly string _redacted = Path.GetTempFileName();

    public void Dispose()
    {
        File.Delete(_path);
        File.Delete(_redacted);
    }

    [Fact]
    public void Redact_SeveralTraces_KeepsEachUnderItsName()
    {
        WriteTraces("trace-1.pcapng", "trace-2.pcapng");
        using var names = new Pseudonyms(RedactionKey.Random());
        Assert.Empty(TraceRedactor.Redact(names, _path, File.Create(_redacted), CancellationToken.None));

        Assert.Equal(["trace-1.pcapng", "trace-2.pcapng"], TraceBundle.ReadManifest(_redacted)!.Files.Select(file => file.Name));
        Assert.Equal(TraceInspector.Inspect(_path).Packets, TraceInspector.Inspect(_redacted).Packets);
        Assert.True(RedactionVerifier.Verify(names, _redacted, CancellationToken.None).HasPassed);
    }

    void WriteTraces(params string[] names)
    {
        using var bundle = new BundleWriter(File.Create(_path));
        foreach (string name in names)
        {
            using FileStream trace = File.OpenRead(ProjectFolder.Fixture("reset.pcapng"));
            bundle.Add(name, BundleManifest.TraceKind, trace);
        }

        bundle.Complete(BundleWriter.Describe("netsh", "tcp", "duration", [], DateTimeOffset.UnixEpoch));
    }
}

public sealed class JsonRedactorTests
{
    [Theory]
    [InlineData("""{"a":1,"a":2}""")]
    [InlineData("""{"a":"\ud800bob"}""")]
    [InlineData("""{"\ud800bob":1}""")]
    [InlineData("""{"a":""")]
    public void Redact_WhatIsNoDocument_IsRefused(string json)
    {
        using var names = new Pseudonyms(TestKeys.First);
        Assert.ThrowsAny<JsonException>(() => new JsonRedactor(names).Redact(Encoding.UTF8.GetBytes(json), isIndented: false));
    }

    [Fact]
    public void Learn_NameThatIsReplacedLater_DoesNotStayEarlier()
    {
        using var names = new Pseudonyms(TestKeys.First);
        var redactor = new JsonRedactor(names);
        byte[] document = Encoding.UTF8.GetBytes("""{"facts":[{"name":"alice.offload","value":"7"},{"name":"feature","value":"Alice"}]}""");
        redactor.Learn(document);
        string redacted = Encoding.UTF8.GetString(redactor.Redact(document, isIndented: false));

        Assert.DoesNotContain("alice", redacted, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("offload", redacted, StringComparison.Ordinal);
        Assert.Contains("\"feature\"", redacted, StringComparison.Ordinal);
        Assert.True(names.Originals.IsLeak("alice"));
    }

    [Fact]
    public void LearnLines_WhatIsNoDocument_TeachesNothing()
    {
        using var names = new Pseudonyms(TestKeys.First);
        new JsonRedactor(names).LearnLines("{\"a\":\n{\"a\":\"\\ud800\"}\n{\"b\":\"bob\"}\n");

        Assert.Equal(["bob"], names.Originals.Words.Keys);
    }

    [Fact]
    public void RedactLines_LineThatIsNoDocument_IsLeftOut()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] redacted = new JsonRedactor(names).RedactLines("{\"a\":\"\\ud800\"}\n{\"b\":1,\"b\":2}\n{\"c\":3}\n");
        Assert.Equal("{\"c\":3}\n", Encoding.UTF8.GetString(redacted));
    }

    [Fact]
    public void Redact_AddressesOfAnAdapterThatIsDigits_IsNoCounter()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] document = """
            {"sections":[{"name":"adapter-settings","facts":[{"subject":"x NetworkAddress","name":"RegistryValue","value":"020011223344"}]}]}
            """u8.ToArray();
        string redacted = Encoding.UTF8.GetString(new JsonRedactor(names).Redact(document, isIndented: false));

        Assert.Contains("NetworkAddress", redacted, StringComparison.Ordinal);
        Assert.DoesNotContain("020011223344", redacted, StringComparison.Ordinal);
    }

    // By the names of sections a redacted snapshot is read again; those nobody knows may be anybody's.
    [Theory]
    [InlineData("proxy", "ProxyOverride")]
    [InlineData("winhttp-proxy", "Bypass")]
    public void Redact_SectionThatIsAHostToo_KeepsItsName(string section, string fact)
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] document = Encoding.UTF8.GetBytes(
            $$"""
            {"sections":[{"name":"{{section}}","facts":[
                {"subject":"4930901820","name":"{{fact}}","value":"{{section}}.contoso.example;198.51.100"}]},
                {"name":"contoso","facts":[]}]}
            """);
        var redactor = new JsonRedactor(names);
        redactor.Learn(document);
        string redacted = Encoding.UTF8.GetString(redactor.Redact(document, isIndented: false));

        Assert.Contains($"\"name\":\"{section}\"", redacted, StringComparison.Ordinal);
        Assert.Matches("\"value\":\"[a-z2-7-]+\\.[a-z2-7]{7}\\.[a-z2-7]{7};[0-9]+\\.[0-9]+\\.[0-9]+\"", redacted);
        Assert.All(["4930901820", "contoso", "198.51"], original => Assert.DoesNotContain(original, redacted, StringComparison.Ordinal));
        Assert.False(names.Originals.IsLeak(section));
    }

    [Fact]
    public void Redact_DeviceThatIsDigits_IsTheSameInBothSections()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] document = """
            {"sections":[{"name":"adapters","facts":[{"subject":"USB","name":"PnPDeviceID","value":"USB\\VID_0BDA&PID_8153\\112233445566778"},
              {"subject":"VPN","name":"PnPDeviceID","value":"ROOT\\NET\\0007"}]},
            {"name":"firmware","facts":[{"subject":"USB\\VID_0BDA&PID_8153\\112233445566778","name":"Data","value":"7.10"}]}]}
            """u8.ToArray();
        string redacted = Encoding.UTF8.GetString(new JsonRedactor(names).Redact(document, isIndented: false));

        Assert.DoesNotContain("112233445566778", redacted, StringComparison.Ordinal);
        Assert.DoesNotContain("0007", redacted, StringComparison.Ordinal);
        Assert.Matches(@"(USB\\\\VID_.{4}&PID_8153\\\\\d{15})"".*\1""", redacted);
    }

    [Fact]
    public void Redact_FirstStepOfAJournal_IsTheUsersOwn()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] journal = new JsonRedactor(names).RedactLines(
            """{"step":"Prepared","detail":"process disk"}""" + "\n" + """{"step":"Stopping","detail":"the disk is nearly full"}""" + "\n");

        Assert.Matches("process [a-z0-9]{4}\"}\n.*the disk is nearly full", Encoding.UTF8.GetString(journal));
        Assert.DoesNotContain("process disk", Encoding.UTF8.GetString(journal), StringComparison.Ordinal);
    }

    [Fact]
    public void Replace_WellKnownWordThatIsAHostToo_IsLookedForWhereHostsStand()
    {
        using var names = new Pseudonyms(TestKeys.First);
        names.ReplaceLabel("windows"u8.ToArray());

        Assert.True(names.Originals.IsLeakInText("windows"));
        Assert.False(names.Originals.IsLeak("windows"));
    }
}
