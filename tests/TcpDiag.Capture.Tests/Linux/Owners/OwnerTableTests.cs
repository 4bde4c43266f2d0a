using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Owners;

public sealed class OwnerTableTests
{
    static readonly SocketOwner Nginx = new(10, "nginx");
    static readonly SocketOwner Worker = new(11, "nginx");
    static readonly Endpoint Local = ConnectionSelectorTests.End("10.0.0.1", 443);
    static readonly Endpoint Remote = ConnectionSelectorTests.End("10.0.0.2", 50000);

    readonly OwnerTable _table = new();

    [Theory]
    [InlineData("10.0.0.1", true)]
    [InlineData("0.0.0.0", true)]
    [InlineData("::", true)]
    [InlineData("10.0.0.3", false)]
    public void AddIncoming_SomebodyListens_IsHis(string address, bool expected)
    {
        _table.Add(new(ConnectionSelectorTests.End(address, 443), default, Inode: 5), Nginx, now: 0);
        _table.AddIncoming(Local, Remote, now: 1);

        Assert.Equal(expected, _table.TryFind(Local, Remote, out SocketOwner owner));
        Assert.Equal(expected ? Nginx : default, owner);
        Assert.False(_table.TryFind(Remote, Local, out _));
    }

    [Fact]
    public void AddIncoming_AcceptedAlready_KeepsItsProcess()
    {
        _table.Add(new(Local, default, Inode: 5), Nginx, now: 0);
        _table.Add(new(Local, Remote, Inode: 6), Worker, now: 0);
        _table.AddIncoming(Local, Remote, now: 1);

        Assert.True(_table.TryFind(Local, Remote, out SocketOwner owner));
        Assert.Equal(Worker, owner);
    }

    [Theory]
    [InlineData(6, true)]
    [InlineData(7, false)] // another socket with the same ends
    [InlineData(0, true)] // its process has closed it
    public void Touch_Inode_ShowsWhetherItIsTheSameSocket(uint inode, bool expected)
    {
        _table.Add(new(Local, Remote, Inode: 6), Worker, now: 0);

        Assert.Equal(expected, _table.Touch(new(Local, Remote, inode), now: 1));
    }

    [Fact]
    public void Touch_LearntFromACall_IsLookedForAllTheSame()
    {
        _table.Add(new(Local, Remote, Inode: 0), Worker, now: 0);

        Assert.False(_table.Touch(new(Local, Remote, Inode: 6), now: 1));
        Assert.True(_table.TryFind(Local, Remote, out _));
    }

    [Fact]
    public void Sweep_NotSeenForLong_IsForgotten()
    {
        _table.Add(new(Local, Remote, Inode: 6), Worker, now: 0);
        _table.Add(new(Remote, Local, Inode: 7), Worker, now: 0);
        _table.Touch(new(Local, Remote, Inode: 6), now: 1);
        _table.Sweep(OwnerTable.KeptNanos + 1);

        Assert.True(_table.TryFind(Local, Remote, out _));
        Assert.False(_table.TryFind(Remote, Local, out _));
    }
}
