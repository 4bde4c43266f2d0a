using System.Text;
using System.Text.Json;
using TcpDiag.Traces.Redaction;
using TcpDiag.Traces.Redaction.Bundles;
using Xunit;

namespace TcpDiag.Traces.Tests.Redaction;

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

        Assert.DoesNotContain("alice", redacted, System.StringComparison.OrdinalIgnoreCase);
        Assert.Contains("offload", redacted, System.StringComparison.Ordinal);
        Assert.Contains("\"feature\"", redacted, System.StringComparison.Ordinal);
        Assert.True(names.Originals.IsBetrayed("alice"));
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
        byte[] document = """{"sections":[{"name":"adapter-settings","facts":[{"subject":"x NetworkAddress","name":"RegistryValue","value":"020011223344"}]}]}"""u8.ToArray();
        string redacted = Encoding.UTF8.GetString(new JsonRedactor(names).Redact(document, isIndented: false));

        Assert.Contains("NetworkAddress", redacted, System.StringComparison.Ordinal);
        Assert.DoesNotContain("020011223344", redacted, System.StringComparison.Ordinal);
    }

    [Fact]
    public void Redact_FirstStepOfAJournal_IsTheUsersOwn()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] journal = new JsonRedactor(names).RedactLines("""{"step":"Prepared","detail":"process disk"}""" + "\n" + """{"step":"Stopping","detail":"the disk is nearly full"}""" + "\n");

        Assert.Matches("process [a-z0-9]{4}\"}\n.*the disk is nearly full", Encoding.UTF8.GetString(journal));
        Assert.DoesNotContain("process disk", Encoding.UTF8.GetString(journal), System.StringComparison.Ordinal);
    }

    [Fact]
    public void Replace_WellKnownWordThatIsAHostToo_IsLookedForWhereHostsStand()
    {
        using var names = new Pseudonyms(TestKeys.First);
        names.ReplaceLabel("windows"u8.ToArray());

        Assert.True(names.Originals.IsBetrayedWhereRead("windows"));
        Assert.False(names.Originals.IsBetrayed("windows"));
    }
}
