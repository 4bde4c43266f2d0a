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
}

/// <summary>Format files of two kernels, shortened to what is decoded.</summary>
static class FormatFiles
{
    public const string HeaderPage =
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n" +
        "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" +
        "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n" +
        "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

    /// <summary>tcp_probe of 6.18.</summary>
    public const string Probe =
        "name: tcp_probe\nID: 2273\nformat:\n" +
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" +
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" +
        "\tfield:__u8 saddr[28];\toffset:8;\tsize:28;\tsigned:0;\n" +
        "\tfield:__u8 daddr[28];\toffset:36;\tsize:28;\tsigned:0;\n" +
        "\tfield:__u16 sport;\toffset:64;\tsize:2;\tsigned:0;\n" +
        "\tfield:__u16 dport;\toffset:66;\tsize:2;\tsigned:0;\n" +
        "\tfield:__u16 family;\toffset:68;\tsize:2;\tsigned:0;\n" +
        "\tfield:__u32 snd_cwnd;\toffset:88;\tsize:4;\tsigned:0;\n" +
        "\tfield:__u32 ssthresh;\toffset:92;\tsize:4;\tsigned:0;\n" +
        "\tfield:__u32 srtt;\toffset:100;\tsize:4;\tsigned:0;\n" +
        "\tfield:const void * skaddr;\toffset:128;\tsize:8;\tsigned:0;\n\n" +
        "print fmt: \"family=%s\", REC->saddr\n";

    /// <summary>inet_sock_set_state of 6.18.</summary>
    public const string SetState =
        "name: inet_sock_set_state\nID: 2287\nformat:\n" +
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" +
        "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" +
        "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" +
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n" +
        "\tfield:const void * skaddr;\toffset:8;\tsize:8;\tsigned:0;\n" +
        "\tfield:int oldstate;\toffset:16;\tsize:4;\tsigned:1;\n" +
        "\tfield:int newstate;\toffset:20;\tsize:4;\tsigned:1;\n" +
        "\tfield:__u16 sport;\toffset:24;\tsize:2;\tsigned:0;\n" +
        "\tfield:__u16 dport;\toffset:26;\tsize:2;\tsigned:0;\n" +
        "\tfield:__u16 family;\toffset:28;\tsize:2;\tsigned:0;\n" +
        "\tfield:__u16 protocol;\toffset:30;\tsize:2;\tsigned:0;\n" +
        "\tfield:__u8 saddr[4];\toffset:32;\tsize:4;\tsigned:0;\n" +
        "\tfield:__u8 daddr[4];\toffset:36;\tsize:4;\tsigned:0;\n" +
        "\tfield:__u8 saddr_v6[16];\toffset:40;\tsize:16;\tsigned:0;\n" +
        "\tfield:__u8 daddr_v6[16];\toffset:56;\tsize:16;\tsigned:0;\n";

    public static EventFormat Parse(string text) =>
        EventFormat.TryParse(text, out EventFormat? format) ? format! : throw new System.ArgumentException("no format file", nameof(text));
}
