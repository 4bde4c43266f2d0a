using System;
using System.IO;
using System.Text;
using TcpDiag.Report.Json;
using Xunit;

namespace TcpDiag.Report.Tests;

/// <summary>Fields that are copied while their values stay are those that would have been written.</summary>
public sealed class JsonRunTests
{
    // Values stay, change, and come back: 80,000 objects of some 30 bytes are many times what the writer's buffer holds.
    [Fact]
    public void Write_ValuesThatStayAndChange_IsAsWrittenEachTime()
    {
        const int Objects = 80_000;
        static long ValueOf(int number) => number % 7 == 6 ? number : number / 1000 % 3;

        string copied = Written(Objects, run => (json, number) => run.Write(json, ValueOf(number)), WriteOne);
        string anew = Written(Objects, _ => (json, number) => WriteOne(json, ValueOf(number)), WriteOne);

        Assert.Equal(anew, copied);
        Assert.StartsWith("{\"list\":[{\"number\":0,\"a\":0,\"b\":{\"c\":null}},{\"number\":1,\"a\":0,\"b\":{\"c\":null}},", copied, StringComparison.Ordinal);
    }

    // The second is longer than the writer's buffer.
    [Theory]
    [InlineData(1_200)]
    [InlineData(65_600)]
    public void Write_MoreThanIsKept_IsWrittenEachTime(int length)
    {
        string text = new('x', length);
        string copied = Written(3, run => (json, _) => run.Write(json, 5), (json, _) => json.WriteString("t"u8, text));
        Assert.Equal($"{{\"list\":[{{\"number\":0,\"t\":\"{text}\"}},{{\"number\":1,\"t\":\"{text}\"}},{{\"number\":2,\"t\":\"{text}\"}}]}}", copied);
    }

    static void WriteOne(JsonOutput json, long value)
    {
        json.WriteNumber("a"u8, value);
        json.WriteStartObject("b"u8);
        json.WriteNull("c"u8);
        json.WriteEndObject();
    }

    static string Written(int objects, Func<JsonRun<long>, Action<JsonOutput, int>> writer, Action<JsonOutput, long> fields)
    {
        using var stream = new MemoryStream();
        var json = new JsonOutput(stream);
        Action<JsonOutput, int> write = writer(new JsonRun<long>(fields));
        json.WriteStartObject();
        json.WriteStartArray("list"u8);
        for (int number = 0; number < objects; number++)
        {
            json.WriteStartObject();
            json.WriteNumber("number"u8, number);
            write(json, number);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        json.Complete();
        return Encoding.UTF8.GetString(stream.ToArray());
    }
}
