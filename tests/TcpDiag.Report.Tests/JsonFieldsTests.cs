using System;
using System.IO;
using System.Text;
using System.Text.Json;
using TcpDiag.Report.Json;
using Xunit;

namespace TcpDiag.Report.Tests;

/// <summary>Times in JSON: whole nanoseconds as exact decimal fractions of the unit.</summary>
public sealed class JsonFieldsTests
{
    [Theory]
    [InlineData(0L, "0")]
    [InlineData(7L, "0.007")]
    [InlineData(1_000L, "1")]
    [InlineData(25_000_007L, "25000.007")]
    [InlineData(250_000_020L, "250000.02")]
    [InlineData(-1_500L, "-1.5")]
    [InlineData(long.MaxValue, "9223372036854775.807")]
    [InlineData(long.MinValue, "-9223372036854775.808")]
    [InlineData(null, "null")]
    public void WriteMicroseconds_Nanoseconds_IsTheExactFraction(long? nanoseconds, string expected) =>
        Assert.Equal($"{{\"t\":{expected}}}", Written(json => json.WriteMicroseconds("t"u8, nanoseconds)));

    [Theory]
    [InlineData(0L, "0")]
    [InlineData(250L, "0.00000025")] // no exponent
    [InlineData(424_999_757L, "0.424999757")]
    [InlineData(3_000_000_000L, "3")]
    [InlineData(-1L, "-0.000000001")]
    [InlineData(long.MinValue, "-9223372036.854775808")]
    [InlineData(null, "null")]
    public void WriteSeconds_Nanoseconds_IsTheExactFraction(long? nanoseconds, string expected) =>
        Assert.Equal($"{{\"t\":{expected}}}", Written(json => json.WriteSeconds("t"u8, nanoseconds)));

    static string Written(Action<Utf8JsonWriter> write)
    {
        var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(bytes.ToArray());
    }
}
