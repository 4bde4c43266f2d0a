using TcpDiag.Capture.Linux.Tracefs;

namespace TcpDiag.Capture.Tests.Linux.Tracefs;

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
