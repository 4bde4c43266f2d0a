using TcpDiag.Traces.Redaction;
using TcpDiag.Traces.Redaction.Events;
using TcpDiag.Traces.Schemas;
using Xunit;

namespace TcpDiag.Traces.Tests.Redaction;

/// <summary>Fields of events, told apart by the names and types that their schema gives them.</summary>
public sealed class FieldRedactorTests
{
    // The schema of Windows calls these plain numbers.
    [Theory]
    [InlineData("IPv4DestinationPrefix")]
    [InlineData("SrcAddress")]
    public void TryRedact_NumberNamedAsAnAddress_IsReplaced(string name)
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] value = [198, 51, 100, 0];
        byte[] expected = [.. value];
        names.ReplaceAddress(expected);
        Assert.True(new FieldRedactor(names).TryRedact(new FieldSchema(name, InType.UInt32), value, 1));
        Assert.Equal(expected, value);
    }

    [Theory]
    [InlineData("DestinationPrefixLength")]
    [InlineData("Metric")]
    public void TryRedact_OtherNumber_Stays(string name)
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] value = [24, 0, 0, 0];
        Assert.True(new FieldRedactor(names).TryRedact(new FieldSchema(name, InType.UInt32), value, 1));
        Assert.Equal([24, 0, 0, 0], value);
    }
}
