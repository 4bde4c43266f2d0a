using System;
using System.Buffers.Binary;
using System.Linq;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.SockDiag;

public sealed class InetDiagMessageTests
{
    // struct tcp_info of 6.18 up to tcpi_total_rto_time.
    const int InfoLength = 248;

    [Fact]
    public void TryRead_Ipv4_GivesEndsAndQueues()
    {
        InetDiagMessage message = Read(Message(2, [10, 0, 0, 1], [10, 0, 0, 2]));

        Assert.Equal(ConnectionSelectorTests.End("10.0.0.1", 443), message.Local);
        Assert.Equal(ConnectionSelectorTests.End("10.0.0.2", 40000), message.Remote);
        Assert.Equal((1, 11u, 12u, 4711u), (message.State, message.ReceiveQueue, message.SendQueue, message.Inode));
    }

    [Fact]
    public void TryRead_Ipv4InIpv6Socket_IsIpv4()
    {
        byte[] mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1];

        Assert.Equal(ConnectionSelectorTests.End("10.0.0.1", 443), Read(Message(10, mapped, mapped)).Local);
    }

    [Fact]
    public void TryRead_Attributes_AreFoundByType()
    {
        InetDiagMessage message = Read([.. Message(2, [], []), .. Attribute(4, Encoding.ASCII.GetBytes("cubic\0")), .. Attribute(7, Words(1, 2, 3, 4)),
            .. Attribute(2, new byte[20])]);

        Assert.Equal("cubic", Encoding.ASCII.GetString(message.CongestionControl));
        Assert.Equal(16, message.Memory.Length);
        Assert.False(message.Info.IsEmpty);
    }

    [Fact]
    public void TryRead_TooShort_IsRefused() => Assert.False(InetDiagMessage.TryRead(new byte[71], out _));

    [Fact]
    public void FindAttribute_AnyBytes_StaysWithin() => Prop.ForAll<byte[]>(bytes =>
    {
        InetDiagMessage message = Read([.. Message(2, [], []), .. bytes]);
        return message.CongestionControl.Length + message.Memory.Length <= 2 * bytes.Length;
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void CopyTo_WholeStructure_SetsEveryField()
    {
        StackEvent target = Copy(Info());

        // 10 segments of 1448 bytes; in flight 7 − 2 − 1 + 1 = 5 segments
        Assert.Equal((10L, 14480L, 7240L, 1448L),
            (Field(target, StackField.CwndSegments), Field(target, StackField.Cwnd), Field(target, StackField.BytesInFlight), Field(target, StackField.Mss)));
        Assert.False(target.Has(StackField.Ssthresh));
        Assert.Equal((204L, 25_000L, 5L), (Field(target, StackField.Rto), Field(target, StackField.Srtt), Field(target, StackField.DsackCount)));
        Assert.Equal((1000L, 200L, 100L),
            (Field(target, StackField.BusyTimeUs), Field(target, StackField.RcvWndLimitedUs), Field(target, StackField.SndBufLimitedUs)));
        Assert.Equal((1L, 65536L, 3L), (Field(target, StackField.AppLimited), Field(target, StackField.RcvWnd), Field(target, StackField.Timeouts)));
        Assert.False(target.Has(StackField.PacingRate));
        Assert.False(target.Has(StackField.MinRtt));
    }

    [Fact]
    public void CopyTo_OlderKernel_LeavesOutWhatIsBehindTheEnd()
    {
        // 4.9 ends behind tcpi_delivery_rate at 168.
        StackEvent target = Copy(Info()[..168]);

        Assert.True(target.Has(StackField.DeliveryRate));
        Assert.False(target.Has(StackField.BusyTimeUs));
        Assert.False(target.Has(StackField.DsackCount));
    }

    [Fact]
    public void CopyTo_CutAnywhere_SetsNoMoreThanWhole()
    {
        int whole = Count(Copy(Info()));
        int[] counts = [.. Enumerable.Range(0, InfoLength + 1).Select(length => Count(Copy(Info()[..length])))];

        Assert.Equal(whole, counts[^1]);
        Assert.Equal(counts.Order(), counts);
    }

    [Fact]
    public void WriteGet_Request_IsWhatTheKernelTakes()
    {
        byte[] id = new byte[InetDiagRequest.SocketIdLength];
        byte family = InetDiagRequest.WriteSocketId(id, ConnectionSelectorTests.End("10.0.0.1", 443), ConnectionSelectorTests.End("10.0.0.2", 40000));
        byte[] request = new byte[InetDiagRequest.Length];
        InetDiagRequest.WriteGet(request, family, id, 9);

        // nlmsghdr: 72 bytes, type 20, NLM_F_REQUEST, sequence 9; then family, protocol 6, INFO | CONG | SKMEMINFO, open states
        Assert.Equal("48000000" + "1400" + "0100" + "09000000" + "00000000" + "02064A00" + "3E0B0000", Convert.ToHexString(request.AsSpan(0, 24)));
        Assert.Equal("01BB9C40" + "0A000001", Convert.ToHexString(request.AsSpan(24, 8)));
        Assert.Equal("FFFFFFFFFFFFFFFF", Convert.ToHexString(request.AsSpan(64)));
    }

    static StackEvent Copy(byte[] info)
    {
        var target = new StackEvent();
        target.Reset(StackEventKind.CwndSample, default, "test");
        new TcpInfo(info).CopyTo(target);
        return target;
    }

    static int Count(StackEvent target)
    {
        int count = 0;
        for (int at = 0; target.TryGetNext(at, out StackField field, out _); at = (int)field + 1)
        {
            count++;
        }

        return count;
    }

    static long Field(StackEvent target, StackField field) => target.TryGet(field, out long value) ? value : -1;

    static InetDiagMessage Read(byte[] payload)
    {
        Assert.True(InetDiagMessage.TryRead(payload, out InetDiagMessage message));
        return message;
    }

    static byte[] Message(byte family, byte[] local, byte[] remote)
    {
        byte[] message = new byte[72];
        (message[0], message[1]) = (family, 1);
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(4), 443);
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(6), 40000);
        local.CopyTo(message, 8);
        remote.CopyTo(message, 24);
        Words(11, 12, 0, 4711).CopyTo(message, 56);
        return message;
    }

    static byte[] Attribute(ushort type, byte[] value) =>
        [.. BitConverter.GetBytes((ushort)(value.Length + 4)), .. BitConverter.GetBytes(type), .. value, .. new byte[(4 - (value.Length % 4)) % 4]];

    static byte[] Words(params uint[] words) => [.. words.SelectMany(BitConverter.GetBytes)];

    static byte[] Info()
    {
        byte[] info = new byte[InfoLength];
        (info[0], info[7]) = (1, 1);
        void Set(int offset, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(offset), value);
        Set(8, 204_000);
        Set(16, 1448);
        (uint unacked, uint sacked, uint lost, uint retransmitted) = (7, 2, 1, 1);
        Set(24, unacked);
        Set(28, sacked);
        Set(32, lost);
        Set(36, retransmitted);
        Set(68, 25_000);
        Set(76, int.MaxValue);
        Set(80, 10);
        Set(104, uint.MaxValue);
        Set(108, uint.MaxValue);
        Set(148, uint.MaxValue);
        Set(168, 1000);
        Set(176, 200);
        Set(184, 100);
        Set(216, 5);
        Set(232, 65536);
        info[240] = 3;
        return info;
    }
}
