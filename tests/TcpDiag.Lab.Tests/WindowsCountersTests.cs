using System;
using System.Buffers.Binary;
using TcpDiag.Lab.Flows;
using Xunit;

namespace TcpDiag.Lab.Tests;

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
