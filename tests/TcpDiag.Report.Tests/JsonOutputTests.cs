using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Report.Json;
using Xunit;

namespace TcpDiag.Report.Tests;

/// <summary>JSON as a general writer has it, byte for byte; times as exact decimal fractions of the unit, and null for what is not known.</summary>
public sealed class JsonOutputTests
{
    [Theory]
    [InlineData(0L, "0")]
    [InlineData(7L, "0.007")]
    [InlineData(1_000L, "1")]
    [InlineData(25_000_007L, "25000.007")]
    [InlineData(250_000_020L, "250000.02")]
    [InlineData(-1_500L, "-1.5")]
    [InlineData(-20L, "-0.02")]
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

    [Theory]
    [InlineData(0.0, "0")]
    [InlineData(-0.0, "-0")]
    [InlineData(0.1, "0.1")]
    [InlineData(-2.5e-7, "-2.5E-07")]
    [InlineData(1.0 / 3, "0.3333333333333333")]
    [InlineData(94_123_456.789, "94123456.789")]
    [InlineData(1e300, "1E+300")]
    [InlineData(double.Epsilon, "5E-324")]
    [InlineData(null, "null")]
    public void WriteNumber_Double_HasTheFewestDigitsThatIdentifyIt(double? value, string expected) =>
        Assert.Equal($"{{\"n\":{expected}}}", Written(json => json.WriteNumber("n"u8, value)));

    [Theory]
    [InlineData(0L, "0")]
    [InlineData(long.MinValue, "-9223372036854775808")]
    [InlineData(null, "null")]
    public void WriteNumber_Integer_IsItsDigits(long? value, string expected) =>
        Assert.Equal($"{{\"n\":{expected}}}", Written(json => json.WriteNumber("n"u8, value)));

    [Theory]
    [InlineData("client", "\"client\"")]
    [InlineData("", "null")]
    public void WriteWord_Empty_IsNull(string word, string expected) =>
        Assert.Equal($"{{\"w\":{expected}}}", Written(json => json.WriteWord("w"u8, Encoding.ASCII.GetBytes(word))));

    [Fact]
    public void WriteStrings_Texts_AreEscaped() =>
        Assert.Equal("{\"s\":[\"a\\u003Cb\",\"\\u00B5s\",\"a\\uFFFDb\"],\"e\":[]}", Written(json =>
        {
            json.WriteStrings("s"u8, ["a<b", "µs", "a\uD800b"]);
            json.WriteStrings("e"u8, []);
        }));

    // Each character of the first plane by itself and beside a plain one; halves of pairs stand as the character for what is none.
    [Fact]
    public void WriteString_AnyCharacter_IsEscapedAsAGeneralWriterDoes()
    {
        string[] texts = [.. Enumerable.Range(0, 0x10000).Select(code => char.IsSurrogate((char)code) ? "x\U0001F600y" : $"{(char)code}a{(char)code}")];
        string Piece(int from) => string.Concat(texts.Skip(from).Take(0x1000));
        for (int from = 0; from < texts.Length; from += 0x1000)
        {
            string text = Piece(from);
            Assert.Equal(General(json => json.WriteString("s"u8, text)), Written(json => json.WriteString("s"u8, text)));
        }
    }

    // A pair of which a piece ends with the first half: 32 characters are escaped at a time.
    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(100_000)]
    public void WriteString_ManyEscapedCharacters_KeepsPairsTogether(int before)
    {
        string text = new string('µ', before) + string.Concat(Enumerable.Repeat("\U0001F600", before));
        Assert.Equal(General(json => json.WriteString("s"u8, text)), Written(json => json.WriteString("s"u8, text)));
    }

    // More than the buffer holds: commas and brackets are where they belong all the same.
    [Fact]
    public void Write_LongDocument_IsAsAGeneralWriterHasIt()
    {
        string text = new('x', 70_000);
        string expected = General(json =>
        {
            for (int i = 0; i < 9_999; i++)
            {
                json.WriteStartObject($"o{i}");
                json.WriteStartArray("a"u8);
                json.WriteStringValue("text");
                json.WriteEndArray();
                json.WriteStartArray("empty"u8);
                json.WriteEndArray();
                json.WriteNumber("n"u8, i);
                json.WriteNull("none"u8);
                json.WriteBoolean("b"u8, i % 2 == 0);
                json.WriteEndObject();
            }

            json.WriteString("long"u8, text);
            json.WriteString("raw"u8, text);
        });
        Assert.Equal(expected, Written(json =>
        {
            for (int i = 0; i < 9_999; i++)
            {
                json.WriteStartObject(Encoding.ASCII.GetBytes($"o{i}"));
                json.WriteStrings("a"u8, ["text"]);
                json.WriteStrings("empty"u8, []);
                json.WriteNumber("n"u8, i);
                json.WriteNumber("none"u8, (long?)null);
                json.WriteBoolean("b"u8, i % 2 == 0);
                json.WriteEndObject();
            }

            json.WriteString("long"u8, text);
            json.WriteValue("raw"u8, value => value.WriteStringValue(text));
        }));
    }

    static string Written(Action<JsonOutput> write)
    {
        var bytes = new MemoryStream();
        var json = new JsonOutput(bytes);
        json.WriteStartObject();
        write(json);
        json.WriteEndObject();
        json.Complete();
        return Encoding.UTF8.GetString(bytes.ToArray());
    }

    static string General(Action<Utf8JsonWriter> write)
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
