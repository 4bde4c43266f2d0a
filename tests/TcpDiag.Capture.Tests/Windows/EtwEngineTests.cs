using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;
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
                $"StartTraceW tcpdiag-20260101-120000-77 LogFileName={Trace} EVENT_TRACE_FILE_MODE_SEQUENTIAL MaximumFileSize=1040 BufferSize=512 "
                    + "MinimumBuffers=110",
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
            @"StartTraceW tcpdiag-20260101-120000-77 LogFileName=C:\ProgramData\tcpdiag\captures\20260101-120000-77\trace%d.etl EVENT_TRACE_FILE_MODE_NEWFILE "
                + "MaximumFileSize=5 BufferSize=512 MinimumBuffers=110",
            plan.Start[0].Call.ToString());
    }

    [Fact]
    public void Plan_NoEvents_LeavesThePacketDrivers() =>
        Assert.Equal(["Microsoft-Windows-NDIS-PacketCapture", "Microsoft-Windows-PktMon"], Plan(Usual with { WithEvents = false }).Session!.Providers
            .Select(provider => provider.Name));

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
    public void FastestOf_LinksOfUnknownSpeed_DoNotCount(long expected, params long[] speeds) => Assert.Equal(expected, LinkSpeed.FastestOf(speeds));

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

    static CapturePlan Plan(CaptureSettings settings) => WindowsEngines.Find("etw")!.Plan(settings, Trace, 26100);
}

/// <summary>The list of sessions against an answer made by hand as QueryAllTracesW gives it.</summary>
public sealed unsafe class EtwSessionListTests
{
    const int InvalidParameter = 87;
    const int MoreData = 234;

    readonly List<uint> _rooms = [];
    int _sessions;
    int _most = int.MaxValue;

    [Theory]
    [InlineData(0, "64")]
    [InlineData(64, "64")]
    [InlineData(65, "64 128")]
    [InlineData(256, "64 128 256")]
    public void Read_AnyNumberOfSessions_TakesThemAll(int sessions, string rooms)
    {
        _sessions = sessions;

        List<EtwSession>? read = EtwSessionList.Read(Answer);
        Assert.Equal(Enumerable.Range(0, sessions).Select(i => $"session {i}"), read!.Select(session => session.Name));
        Assert.Equal(rooms, string.Join(' ', _rooms));
    }

    [Fact]
    public void Read_WindowsThatHasRoomFor64_IsAskedForNoMore()
    {
        (_sessions, _most) = (64, 64);

        Assert.Equal(64, EtwSessionList.Read(Answer)!.Count);
    }

    [Fact]
    public void Read_SystemThatNeverHasEnough_EndsWithoutAList()
    {
        _sessions = int.MaxValue;

        Assert.Null(EtwSessionList.Read(Answer));
        Assert.Equal([64U, 128, 256, 512, 1024], _rooms);
    }

    [Fact]
    public void Read_Refused_EndsWithoutAList()
    {
        _most = 0;

        Assert.Null(EtwSessionList.Read(Answer));
        Assert.Single(_rooms);
    }

    [Fact]
    public void Read_Session_HasItsFileAndItsLosses()
    {
        _sessions = 8;

        // 3 buffers of 64 kB were written.
        Assert.Equal(new(@"session 7", @"C:\7.etl", 11, 13, 3 * 64 * 1024), EtwSessionList.Read(Answer)![7]);
    }

    // Offsets in EVENT_TRACE_PROPERTIES of a 64-bit process: evntrace.h.
    int Answer(byte** properties, uint count, out uint found)
    {
        _rooms.Add(count);
        found = (uint)_sessions;
        if (count > _most)
        {
            return InvalidParameter;
        }

        for (int i = 0; i < Math.Min(count, _sessions); i++)
        {
            var one = new Span<byte>(properties[i], EtwSessionList.Length);
            int name = MemoryMarshal.Read<int>(one[116..]);
            int file = MemoryMarshal.Read<int>(one[112..]);
            Assert.Equal((EtwSessionList.Length, 120, 120 + 2048), (MemoryMarshal.Read<int>(one), name, file));
            MemoryMarshal.AsBytes(FormattableString.Invariant($"session {i}").AsSpan()).CopyTo(one[name..]);
            MemoryMarshal.AsBytes(FormattableString.Invariant($@"C:\{i}.etl").AsSpan()).CopyTo(one[file..]);
            foreach ((int offset, int value) in ((int, int)[])[(48, 64), (88, 11), (92, 3), (96, 13)])
            {
                MemoryMarshal.Write(one[offset..], value);
            }
        }

        return count < _sessions ? MoreData : 0;
    }
}
