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

        Assert.Equal(["bob"], names.Originals.Words);
    }

    [Fact]
    public void RedactLines_LineThatIsNoDocument_IsLeftOut()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] redacted = new JsonRedactor(names).RedactLines("{\"a\":\"\\ud800\"}\n{\"b\":1,\"b\":2}\n{\"c\":3}\n");
        Assert.Equal("{\"c\":3}\n", Encoding.UTF8.GetString(redacted));
    }
}
