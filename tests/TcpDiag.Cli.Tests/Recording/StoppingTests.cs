using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Cli.Recording;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests.Recording;

/// <summary>Ctrl-C around the end of a recording: the first one stops it, and none breaks what comes after.</summary>
public sealed class StoppingTests : IDisposable
{
    const string StillStopping = "tcpdiag: still stopping; ended now, `tcpdiag capture recover` would have to finish it\n";

    // What comes sooner is the same key.
    const int NextKeyMilliseconds = 250;

    readonly StringWriter _error = new() { NewLine = "\n" };

    public void Dispose() => _error.Dispose();

    [Fact]
    public void CtrlC_WhileItRecords_StopsItAndASecondEndsTheProgram()
    {
        using Invocation invocation = new() { Error = _error };
        CancellationToken stop = invocation.Interruption;

        Assert.True(IsSurvived(invocation));
        Assert.True(stop.IsCancellationRequested);
        Assert.True(IsSurvived(invocation));
        AwaitNextKey();
        Assert.False(IsSurvived(invocation));
        Assert.Equal(string.Empty, _error.ToString());
    }

    [Fact]
    public void CtrlC_WhileItStops_IsAnsweredAndBreaksNothing()
    {
        using Invocation invocation = new() { Error = _error };
        _ = invocation.Interruption;
        var progress = new RecordingProgress(_error, invocation);

        Assert.True(IsSurvived(invocation));
        progress.Reached(CaptureStep.Stopping);
        AwaitNextKey();
        Assert.True(IsSurvived(invocation));
        Assert.Equal(StillStopping, _error.ToString());
        progress.Reached(CaptureStep.Collecting);
        Assert.True(IsSurvived(invocation));
        Assert.Equal(StillStopping + StillStopping, _error.ToString());
    }

    // Its time was up: the first Ctrl-C comes when there is nothing to stop any more.
    [Fact]
    public void CtrlC_FirstWhileItStops_IsAnsweredToo()
    {
        using Invocation invocation = new() { Error = _error };
        _ = invocation.Interruption;
        new RecordingProgress(_error, invocation).Reached(CaptureStep.Stopping);

        Assert.True(IsSurvived(invocation));
        Assert.Equal(StillStopping, _error.ToString());
    }

    // As `capture recover` does, which has nothing that could be stopped.
    [Fact]
    public void BeginFinishing_NobodyAskedForInterruption_SignalsReachUs()
    {
        using Invocation invocation = new() { Error = _error };
        Assert.False(invocation.IsListening);

        invocation.BeginFinishing();
        Assert.True(invocation.IsListening);
        Assert.True(IsSurvived(invocation));
        Assert.Equal(StillStopping, _error.ToString());
    }

    [Fact]
    public void CtrlC_WhileItRecordsAfterAnEarlierRecordingWasFinished_StopsItWithoutAWord()
    {
        using Invocation invocation = new() { Error = _error };
        CancellationToken stop = invocation.Interruption;
        var progress = new RecordingProgress(_error, invocation);

        progress.Reached(CaptureStep.Stopping);
        progress.Reached(CaptureStep.Prepared);
        Assert.True(IsSurvived(invocation));
        Assert.True(stop.IsCancellationRequested);
        Assert.Equal(string.Empty, _error.ToString());
    }

    // Windows ends the process when the handler returns; the command is told before, and has the time.
    [Theory]
    [InlineData(PosixSignal.SIGHUP)]
    [InlineData(PosixSignal.SIGTERM)]
    [Trait("Needs", "time")]
    public async Task WindowIsClosed_WhileItRecords_IsHeldBackForTheCommandToEnd(PosixSignal which)
    {
        using Invocation invocation = new() { Error = _error, HoldBack = TimeSpan.FromSeconds(3) };
        CancellationToken stop = invocation.Interruption;
        var signal = new PosixSignalContext(which);
        Task handler = Task.Run(() => invocation.Interrupt(signal));

        Assert.True(stop.WaitHandle.WaitOne(Patience.Limit));
        Assert.False(handler.IsCompleted);
        await handler.WaitAsync(Patience.Limit);
        Assert.True(signal.Cancel);
    }

    [Fact]
    [Trait("Needs", "time")]
    public async Task WindowIsClosed_WhileItStops_IsHeldBackToo()
    {
        using Invocation invocation = new() { Error = _error, HoldBack = TimeSpan.FromSeconds(3) };
        invocation.BeginFinishing();
        Task handler = Task.Run(() => invocation.Interrupt(new PosixSignalContext(PosixSignal.SIGHUP)));

        Assert.True(invocation.Interruption.WaitHandle.WaitOne(Patience.Limit));
        Assert.False(handler.IsCompleted);
        await handler.WaitAsync(Patience.Limit);
    }

    [Theory]
    [InlineData(PosixSignal.SIGINT)]
    [InlineData(PosixSignal.SIGQUIT)]
    public async Task Key_WhileItRecords_IsAnsweredAtOnce(PosixSignal which)
    {
        using Invocation invocation = new() { Error = _error, HoldBack = TimeSpan.FromMinutes(10) };
        _ = invocation.Interruption;

        await Task.Run(() => invocation.Interrupt(new PosixSignalContext(which))).WaitAsync(Patience.Limit);
        Assert.True(invocation.Interruption.IsCancellationRequested);
    }

    static void AwaitNextKey()
    {
        long pressed = Environment.TickCount64;
        SpinWait.SpinUntil(() => Environment.TickCount64 - pressed >= NextKeyMilliseconds);
    }

    static bool IsSurvived(Invocation invocation)
    {
        var signal = new PosixSignalContext(PosixSignal.SIGINT);
        invocation.Interrupt(signal);
        return signal.Cancel;
    }
}
