using System;
using System.Buffers.Binary;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using Xunit;

namespace TcpDiag.Lab.Tests;

public sealed class FlowSettingsTests
{
    [Fact]
    public void Read_Scaled_ShortensBytesAndClosingOnly()
    {
        FlowSettings flow = FlowSettingsReader.Read(
            "flow:",
            [
                new("bytes", "10mb"), new("close-after", "30s"), new("read-rate", "8mbit"), new("receive-buffer", "65536b"), new("limit", "60s"),
                new("congestion", "reno"), new("write-size", "8kib"), new("flows", "3"), new("bursts", "50kb/200ms"), new("pacing", "4mbit"),
                new("pause", "20kb/1s"), new("family", "ipv6"), new("client", "receiver"),
            ],
            scale: 0.1);

        Assert.Equal(
            new FlowSettings
            {
                Bytes = 1_000_000,
                CloseAfterNs = 3_000_000_000,
                ReadBitsPerSecond = 8_000_000,
                ReceiveBufferBytes = 65_536,
                LimitNs = 60_000_000_000,
                Congestion = "reno",
                WriteBytes = 8192,
                Connections = 3,
                Burst = new BytesAndTime(50_000, 200_000_000),
                PacingBitsPerSecond = 4_000_000,
                Pause = new BytesAndTime(20_000, 1_000_000_000),
                IsIpv6 = true,
                IsDownload = true,
            },
            flow);
    }

    [Fact]
    public void Read_GivenTwice_TakesTheLater() =>
        Assert.Equal(2_000, FlowSettingsReader.Read("flow:", [new("bytes", "1kb"), new("bytes", "2kb")], 1).Bytes);

    [Fact]
    public void Read_LookupOverIpv6_IsRefused() =>
        Assert.Contains(
            "a lookup over IPv4",
            Assert.Throws<ImpairmentException>(() => FlowSettingsReader.Read("flow:", [new("family", "ipv6"), new("lookup", "2s")], 1)).Message,
            System.StringComparison.Ordinal);

    [Theory]
    [InlineData("congestion", "a-name-that-is-too-long", "expected a congestion control such as cubic or reno, found 'a-name-that-is-too-long'.")]
    [InlineData("read-rate", "fast", "expected a rate such as 100mbit")]
    [InlineData("write-size", "0b", "expected a write of 1b to 16mib, found '0b'.")]
    [InlineData("client", "both", "expected one of sender, receiver, found 'both'.")]
    [InlineData("flows", "65", "expected 1 to 64 connections, found '65'.")]
    [InlineData("bursts", "50kb", "expected an amount and a time such as 50kb/200ms, found '50kb'.")]
    [InlineData("pause", "0b/1s", "expected an amount and a time such as 50kb/200ms, found '0b/1s'.")]
    [InlineData("bytes", "1mb:2", "expected nothing more, found '2' in '1mb:2'.")]
    public void Read_WrongValue_SaysWhatIsExpected(string name, string value, string message) =>
        Assert.Contains(
            message,
            Assert.Throws<ImpairmentException>(() => FlowSettingsReader.Read("flow:", [new(name, value)], 1)).Message,
            System.StringComparison.Ordinal);
}

public sealed class NetbiosQueryTests
{
    [Fact]
    public void Encode_Address_IsTheQueryTsharkReads() =>
        // RFC 1002 §4.2.12: header, the name "10.201.1.2" filled up with blanks and the service 0 in half bytes from 'A', type NB, class IN.
        Assert.Equal(
            "0001" + "0110" + "0001" + "0000" + "0000" + "0000"
            + "20" + Convert.ToHexString("DBDACODCDADBCODBCODCCACACACACAAA"u8) + "00" + "0020" + "0001",
            Convert.ToHexString(NetbiosQuery.Encode(1, "10.201.1.2")));
}

/// <summary>What Windows tells of a connection (TCP_INFO_v0), from bytes built by hand.</summary>
public sealed class WindowsCountersTests
{
    [Fact]
    public void ReadWindows_Structure_GivesItsCounters()
    {
        byte[] info = new byte[88];
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(0), 4);         // State: ESTABLISHED
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(4), 1460);      // Mss
        BinaryPrimitives.WriteInt64LittleEndian(info.AsSpan(8), 5000);       // ConnectionTimeMs
        info[16] = 1;                                                        // TimestampsEnabled
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(20), 30_000);   // RttUs
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(24), 25_000);   // MinRttUs
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(28), 2920);     // BytesInFlight
        BinaryPrimitives.WriteUInt64LittleEndian(info.AsSpan(48), 5_000_000_000); // BytesOut
        BinaryPrimitives.WriteUInt64LittleEndian(info.AsSpan(56), 17);       // BytesIn
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(64), 3);        // BytesReordered
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(68), 14_600);   // BytesRetrans
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(72), 9);        // FastRetrans
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(80), 2);        // TimeoutEpisodes

        Assert.Equal(
            new KernelCounters { BytesSent = 5_000_000_000, BytesReceived = 17, BytesRetransmitted = 14_600, MinRttUs = 25_000, Timeouts = 2 },
            KernelCounters.ReadWindows(info));
    }
}
