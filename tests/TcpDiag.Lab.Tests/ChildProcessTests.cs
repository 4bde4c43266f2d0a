using System;
using System.Threading;
using TcpDiag.Lab.Programs;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Lab.Tests;

public sealed class ChildProcessTests
{
    static readonly LabProgram Shell = new("/bin/sh", ["-c"]);

    [LinuxFact]
    public void WaitForExit_Killed_NamesThePartAndTheSignal()
    {
        using ChildProcess path = new("The emulated path", Shell, "kill -9 $$");
        LabPartException failed = Assert.Throws<LabPartException>(() => path.WaitForExit(Patience.Limit, CancellationToken.None));
        Assert.Equal("The emulated path was ended by signal 9.", failed.Message);
    }

    [LinuxFact]
    public void WaitForExit_NeededPartKilled_DoesNotWaitAnyLonger()
    {
        using ChildProcess path = new("The emulated path", Shell, "kill -9 $$");
        using ChildProcess sender = new("The program of the sender", Shell, "read end");
        LabPartException failed = Assert.Throws<LabPartException>(() => sender.WaitForExit(TimeSpan.FromMinutes(5), CancellationToken.None, path));
        Assert.Equal("The emulated path was ended by signal 9.", failed.Message);
    }

    [LinuxFact]
    public void WaitForExit_NeededPartHasDoneItsWork_WaitsOn()
    {
        using ChildProcess done = new("The program of the receiver", Shell, "true");
        using ChildProcess sender = new("The program of the sender", Shell, "sleep 0.2; echo sent");
        sender.WaitForExit(Patience.Limit, CancellationToken.None, done);
        Assert.Equal("sent", sender.LastOutput);
    }

    [LinuxFact]
    public void WaitForExit_Failed_GivesItsLastWords()
    {
        Assert.Equal("The program of the sender failed: no such device.", Failure("echo tcpdiag: no such device. >&2; exit 1"));
        Assert.Equal("The program of the sender failed with exit code 7 and said nothing.", Failure("exit 7"));

        static string Failure(string script)
        {
            using ChildProcess sender = new("The program of the sender", Shell, script);
            return Assert.Throws<LabPartException>(() => sender.WaitForExit(Patience.Limit, CancellationToken.None)).Message;
        }
    }

    [LinuxFact]
    public void WaitForExit_NotInTime_SaysSo()
    {
        using ChildProcess sender = new("The program of the sender", Shell, "read end");
        LabPartException failed = Assert.Throws<LabPartException>(() => sender.WaitForExit(TimeSpan.FromSeconds(0.5), CancellationToken.None));
        Assert.Equal("The program of the sender did not end within 0.5 s.", failed.Message);
    }

    // What says why it does not begin would say so again: the experiment ends.
    [LinuxFact]
    public void WaitForError_Refused_IsNoFailureOfOneRun()
    {
        Assert.Equal("the ring needs root.", Refusal("echo tcpdiag: the ring needs root. >&2; exit 1"));
        Assert.Equal("congestion control x: not there.", Refusal("sleep 0.1; echo tcpdiag: congestion control x: not there. >&2; exit 1"));

        static string Refusal(string script)
        {
            using ChildProcess recorder = new("The recorder at the sender", Shell, script);
            return Assert.Throws<LabException>(() => recorder.WaitForError("recording ", CancellationToken.None)).Message;
        }
    }

    // What an earlier recording left comes first: it does not say that this one is ready.
    [LinuxFact]
    public void WaitForError_OtherLinesAlone_IsNotReady()
    {
        using ChildProcess recorder = new("The recorder at the sender", Shell, "echo old.etl: kept >&2; exit 0");
        Assert.Equal(
            "The recorder at the sender did not get ready.",
            Assert.Throws<LabPartException>(() => recorder.WaitForError("recording ", CancellationToken.None)).Message);

        using ChildProcess other = new("The recorder at the sender", Shell, "echo old.etl: kept >&2; echo recording all >&2; read end; exit 0");
        other.WaitForError("recording ", CancellationToken.None);
        other.End(CancellationToken.None);
    }

    [LinuxFact]
    public void WaitForOutput_Killed_IsAFailureOfOneRun()
    {
        using ChildProcess path = new("The emulated path", Shell, "kill -9 $$");
        Assert.Equal("The emulated path was ended by signal 9.", Assert.Throws<LabPartException>(() => path.WaitForOutput(CancellationToken.None)).Message);
    }
}
