using System.Collections.Generic;
using TcpDiag.Capture.Triggers;
using Xunit;

namespace TcpDiag.Capture.Tests.Triggers;

public sealed class ProcessProbeTests
{
    static readonly Dictionary<int, string> Nobody = new() { [1] = "init" };
    static readonly Dictionary<int, string> One = new() { [1] = "init", [7] = "curl" };
    static readonly Dictionary<int, string> Another = new() { [1] = "init", [8] = "CURL" };

    [Fact]
    public void OnTick_ProcessStarts_IsReportedOnce()
    {
        var probe = new ProcessProbe(new(IsStart: true, "curl", 0));

        Assert.Null(probe.OnTick(default, Nobody));
        Assert.Equal("process curl (7) started", probe.OnTick(default, One));
        Assert.Null(probe.OnTick(default, One));
    }

    [Fact]
    public void OnTick_RunsAtTheFirstLook_HasNotStarted()
    {
        var probe = new ProcessProbe(new(IsStart: true, "curl", 0));

        Assert.Null(probe.OnTick(default, One));
        Assert.Equal("process CURL (8) started", probe.OnTick(default, Another));
    }

    [Fact]
    public void OnTick_ProcessExits_IsReported()
    {
        var probe = new ProcessProbe(new(IsStart: false, "curl", 0));

        Assert.Null(probe.OnTick(default, One));
        Assert.Equal("process curl (7) exited", probe.OnTick(default, Nobody));
    }

    [Fact]
    public void OnTick_ById_LooksAtNoName()
    {
        var probe = new ProcessProbe(new(IsStart: false, string.Empty, 7));

        Assert.Null(probe.OnTick(default, One));
        Assert.Equal("process curl (7) exited", probe.OnTick(default, Another));
    }

    [Fact]
    public void OnTick_IdHasAnotherOwner_HasExited()
    {
        var probe = new ProcessProbe(new(IsStart: false, "curl", 0));

        Assert.Null(probe.OnTick(default, One));
        Assert.Equal("process curl (7) exited", probe.OnTick(default, new Dictionary<int, string> { [7] = "cat" }));
    }
}
