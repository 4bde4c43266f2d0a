using System;
using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Windows;

public sealed class EtwEngineTests
{
    const string Trace = @"C:\ProgramData\tcpdiag\captures\20260101-120000-77\trace.etl";

    static readonly CaptureSettings Usual = new() { Match = new MatchAll() };

    [Fact]
    public void Plan_Usual_NamesSessionProvidersAndWhatIsMissing()
    {
        CapturePlan plan = Plan(Usual);

        Assert.Equal(
            [
                $"StartTraceW tcpdiag-20260101-120000-77 LogFileName={Trace} EVENT_TRACE_FILE_MODE_SEQUENTIAL MaximumFileSize=1040 BufferSize=512 MinimumBuffers=110",
                "EnableTraceEx2 Microsoft-Windows-TCPIP MatchAnyKeyword=0xffffffffffffffff Level=5",
                "EnableTraceEx2 Microsoft-Windows-TCPIP EVENT_CONTROL_CODE_CAPTURE_STATE",
                "EnableTraceEx2 Microsoft-Windows-Winsock-AFD MatchAnyKeyword=0xffffffffffffffff Level=4",
                "EnableTraceEx2 Microsoft-Windows-Winsock-NameResolution MatchAnyKeyword=0xffffffffffffffff Level=5",
                "EnableTraceEx2 Microsoft-Windows-NDIS-PacketCapture MatchAnyKeyword=0xffffffffffffffff Level=4",
                "EnableTraceEx2 Microsoft-Windows-PktMon MatchAnyKeyword=0xffffffffffffffff Level=4",
            ],
            plan.Start.Select(command => command.Call.ToString()));
        Assert.StartsWith("a session of its own holds packets only while somebody keeps pktmon or netsh capturing", plan.Remarks[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Plan_Ring_IsCircularWithoutHeadroom()
    {
        EtwSessionPlan session = Plan(Usual with { IsRing = true, MaxBytes = 5 << 20 }).Session!;

        Assert.True(session.IsCircular);
        Assert.Equal(5, session.FileMebibytes);
    }

    [Fact]
    public void Plan_Split_BeginsNewFiles()
    {
        CapturePlan plan = Plan(Usual with { SplitBytes = 5 << 20 });

        Assert.Equal(5, plan.Session!.PieceMebibytes);
        Assert.Equal(
            @"StartTraceW tcpdiag-20260101-120000-77 LogFileName=C:\ProgramData\tcpdiag\captures\20260101-120000-77\trace%d.etl EVENT_TRACE_FILE_MODE_NEWFILE MaximumFileSize=5 BufferSize=512 MinimumBuffers=110",
            plan.Start[0].Call.ToString());
    }

    [Fact]
    public void Plan_NoEvents_LeavesThePacketDrivers() =>
        Assert.Equal(["Microsoft-Windows-NDIS-PacketCapture", "Microsoft-Windows-PktMon"], Plan(Usual with { WithEvents = false }).Session!.Providers.Select(provider => provider.Name));

    // The session that is begun and the one that is shown are made of the same settings; 110 buffers of 512 KiB.
    [Theory]
    [InlineData(1_000_000_000, 110, 57_671_680)]
    [InlineData(100_000_000_000, 512, 268_435_456)]
    public void Plan_SpeedOfTheLink_DecidesBuffersAndMemory(long bitsPerSecond, int buffers, long bytes)
    {
        CapturePlan plan = Plan(Usual with { LinkBitsPerSecond = bitsPerSecond });

        Assert.EndsWith($" BufferSize=512 MinimumBuffers={buffers}", plan.Start[0].Call.ToString(), StringComparison.Ordinal);
        Assert.Equal(bytes, plan.Session!.BufferMebibytes * 1048576L);
        Assert.Equal(bytes, plan.Costs.MemoryBytes);
    }

    [Theory]
    [InlineData(1_000_000_000)]
    [InlineData(1_000_000_000, -1L, -1L)]
    [InlineData(1_000_000_000, 0L)]
    [InlineData(10_000_000, -1L, 10_000_000L)]
    [InlineData(25_000_000_000, 1_000_000_000L, 25_000_000_000L, -1L)]
    public void FastestOf_LinksThatDoNotTell_DoNotCount(long expected, params long[] speeds) => Assert.Equal(expected, LinkSpeed.FastestOf(speeds));

    // 1 Gbit/s is 125,000,000 bytes a second on the wire, of which 700 / 1538 are recorded: 56.9 MB, 54.3 MiB.
    [Theory]
    [InlineData(1_000_000_000, 55)]
    [InlineData(10_000_000, 16)]
    [InlineData(100_000_000_000, 256)]
    [InlineData(0, 16)]
    [InlineData(-1, 16)]
    [InlineData(long.MaxValue, 256)]
    public void BufferMebibytes_SpeedOfTheLink_HoldsASecond(long linkBitsPerSecond, int expected) =>
        Assert.Equal(expected, EtwEngine.BufferMebibytes(linkBitsPerSecond));

    static CapturePlan Plan(CaptureSettings settings) => Engines.Find("etw")!.Plan(settings, Trace, 26100);
}
