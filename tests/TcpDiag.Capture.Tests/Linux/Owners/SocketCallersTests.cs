using System;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Testing;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Owners;

public sealed class SocketCallersTests
{
    const int Gone = int.MaxValue; // larger than any process id can be (PID_MAX_LIMIT, linux/threads.h)
    const ulong Socket = 77;

    static readonly Endpoint Local = ConnectionSelectorTests.End("10.0.0.1", 50000);
    static readonly Endpoint Unbound = ConnectionSelectorTests.End("10.0.0.1", 0);
    static readonly Endpoint Remote = ConnectionSelectorTests.End("10.0.0.2", 443);

    readonly OwnerTable _table = new();
    readonly SocketCallers _callers;

    public SocketCallersTests() => _callers = Create(readsThreads: true);

    [LinuxFact]
    public void OnEvent_Opened_IsKnownOnceItHasAPort()
    {
        Changed(TcpStates.SynSent, Unbound, Environment.ProcessId);
        Assert.False(_table.TryFind(Local, Remote, out _));
        Changed(TcpStates.Established, Local, thread: 0);

        Assert.True(_table.TryFind(Local, Remote, out SocketOwner owner));
        Assert.Equal((uint)Environment.ProcessId, owner.ProcessId);
    }

    [LinuxFact]
    public void OnEvent_ProcessHasEnded_IsKnownByWhatTracingKept()
    {
        Changed(TcpStates.SynSent, Unbound, Gone);
        Changed(TcpStates.Established, Local, thread: 0);

        Assert.True(_table.TryFind(Local, Remote, out SocketOwner owner));
        Assert.Equal(new(int.MaxValue, "short lived"), owner);
    }

    [LinuxFact]
    public void OnEvent_InAContainer_NobodyElseIsTakenForTheCaller()
    {
        Changed(TcpStates.FinWait1, Local, Environment.ProcessId, Create(readsThreads: false));

        Assert.False(_table.TryFind(Local, Remote, out _));
    }

    [UnixTheory]
    [InlineData(TcpStates.FinWait1, true)]
    [InlineData(TcpStates.LastAck, true)]
    [InlineData(TcpStates.Established, false)] // in the call of whoever runs just then
    public void OnEvent_StateSetByACall_NamesTheCaller(int state, bool expected)
    {
        Changed(state, Local, Environment.ProcessId);

        Assert.Equal(expected, _table.TryFind(Local, Remote, out _));
    }

    [Fact]
    public void OnEvent_Incoming_BelongsToWhoeverListens()
    {
        var nginx = new SocketOwner(10, "nginx");
        _table.Add(new(Local, default, Inode: 5), nginx, now: 0);
        Changed(TcpStates.Established, Local, thread: 0);

        Assert.True(_table.TryFind(Local, Remote, out SocketOwner owner));
        Assert.Equal(nginx, owner);
    }

    [Theory]
    [InlineData("Name:\tcurl\nTgid:\t4711\nNgid:\t0\n", 4711)]
    [InlineData("Name:\tTgid:\n", 0)]
    [InlineData("", 0)]
    public void ProcessOf_Status_IsTheGroupOfTheThread(string status, uint expected) => Assert.Equal(expected, SocketCallers.ProcessOf(status));

    [Fact]
    public void Find_NamesReadJustNow_AreNotReadAgain()
    {
        int readings = 0;
        var names = new SavedNames(() => FormattableString.Invariant($"7 name {++readings}"));

        Assert.Equal("name 1", names.Find(7, now: 0));
        Assert.Equal("name 1", names.Find(7, SavedNames.PauseNanos - 1));
        Assert.Equal("name 2", names.Find(7, SavedNames.PauseNanos));
        Assert.Null(names.Find(8, SavedNames.PauseNanos));
        Assert.Null(new SavedNames(() => null).Find(7, now: 0));
    }

    SocketCallers Create(bool readsThreads) => new(_table, new(() => "1 systemd\n2147483647 short lived\n"), readsThreads);

    void Changed(int state, Endpoint local, int thread, SocketCallers? callers = null)
    {
        var stackEvent = new StackEvent();
        stackEvent.Reset(StackEventKind.StateChanged, default, "sock:inet_sock_set_state");
        stackEvent.Set(StackField.State, state);
        (stackEvent.Tcb, stackEvent.Local, stackEvent.Remote) = (Socket, local, Remote);
        (callers ?? _callers).OnEvent(stackEvent, thread);
    }
}
