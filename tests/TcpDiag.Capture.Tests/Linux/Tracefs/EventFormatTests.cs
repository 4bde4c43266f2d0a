using System;
using TcpDiag.Capture.Linux.Tracefs;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Tracefs;

public sealed class EventFormatTests
{
    [Fact]
    public void TryParse_FormatFile_GivesNameNumberAndFields()
    {
        EventFormat format = FormatFiles.Parse(FormatFiles.Probe);

        Assert.Equal("tcp_probe", format.Name);
        Assert.Equal(2273, format.Id);
        Assert.Equal(new EventField("saddr", 8, 28, false), format.Find("saddr"));
        Assert.Equal(new EventField("common_pid", 4, 4, true), format.Find("common_pid"));
        Assert.Equal(new EventField("skaddr", 128, 8, false), format.Find("skaddr"));
        Assert.Null(format.Find("sock_cookie"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("name: x\nID: 70000\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n")]
    [InlineData("ID: 7\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n")]
    [InlineData("name: x\nID: 7\n\tfield:int a;\toffset:-1;\tsize:4;\tsigned:1;\n")]
    [InlineData("name: x\nID: 7\n\tfield:;\toffset:0;\tsize:4;\tsigned:1;\n")]
    public void TryParse_Incomplete_IsRefused(string text) => Assert.False(EventFormat.TryParse(text, out _));

    [Theory]
    [InlineData("field:s8 a; offset:0; size:1; signed:1;", -1)]
    [InlineData("field:u8 a; offset:0; size:1; signed:0;", 255)]
    [InlineData("field:s16 a; offset:1; size:2; signed:1;", -2)]
    [InlineData("field:u16 a; offset:1; size:2; signed:0;", 65534)]
    [InlineData("field:int a; offset:3; size:4; signed:1;", -3)]
    [InlineData("field:u32 a; offset:3; size:4; signed:0;", 4294967293)]
    [InlineData("field:u64 a; offset:7; size:8; signed:0;", -4)]
    public void TryRead_SizeAndSign_AreRespected(string line, long expected)
    {
        // −1 as 8 bits, −2 as 16, −3 as 32, −4 as 64
        byte[] data = [0xFF, 0xFE, 0xFF, 0xFD, 0xFF, 0xFF, 0xFF, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];

        Assert.True(EventFormat.TryParseField(line, out EventField? field));
        Assert.True(field!.TryRead(data, out long value));
        Assert.Equal(expected, value);
        Assert.False(field.TryRead(data.AsSpan(0, field.Offset + field.Size - 1), out _));
    }

    [Fact]
    public void PageLayout_HeaderPage_IsRead()
    {
        Assert.True(PageLayout.TryParse(FormatFiles.HeaderPage, out PageLayout layout));
        Assert.Equal(new PageLayout(8, 8, 16), layout);
        Assert.False(PageLayout.TryParse("nothing", out _));
    }

    [Fact]
    public void ProcessStart_NameWithParentheses_IsSteppedOver()
    {
        // field 3 is the state, field 22 the start time
        const string Stat = "17 (a) b (c)) S 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 4711 23 24";

        Assert.Equal("4711", ProcessStart.Parse(Stat));
        Assert.Empty(ProcessStart.Parse("17 (a) S 4"));
    }
}
