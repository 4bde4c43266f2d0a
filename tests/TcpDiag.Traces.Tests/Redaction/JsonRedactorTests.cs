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
    public void RedactLines_LineThatIsNoDocument_IsLeftOut()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] redacted = new JsonRedactor(names).RedactLines("{\"a\":\"\\ud800\"}\n{\"b\":1,\"b\":2}\n{\"c\":3}\n");
        Assert.Equal("{\"c\":3}\n", Encoding.UTF8.GetString(redacted));
    }
}
