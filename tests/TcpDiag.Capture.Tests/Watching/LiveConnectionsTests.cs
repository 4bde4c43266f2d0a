using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Watching;
using TcpDiag.Capture.Windows;
using Xunit;

namespace TcpDiag.Capture.Tests.Watching;

/// <summary>What <c>watch</c> begins on Windows, and what it ends first.</summary>
public sealed class LiveConnectionsTests
{
    // No process has this number, and this one has its own.
    [Fact]
    public void Open_SessionsOfOthers_EndsThoseWhoseProcessHasGone()
    {
        var machine = new Machine(
            EtwSession.LivePrefix + int.MaxValue.ToString(CultureInfo.InvariantCulture),
            EtwSession.LivePrefix + Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
            EtwSession.LivePrefix + "of-somebody",
            "NT Kernel Logger");

        using (EventConnections connections = LiveConnections.Open(machine))
        {
            Assert.Equal(["stop tcpdiag-live-2147483647", "listen"], machine.Calls);
        }

        Assert.Equal("end", machine.Calls[^1]);
    }

    sealed class Machine(params string[] sessions) : ICaptureMachine, IDisposable
    {
        public List<string> Calls { get; } = [];

        public bool IsPrivileged => true;

        public int Build => 26100;

        public string? WhyNotPrivate(string path) => null;

        public string? InheritRights(string path) => null;

        public long? FreeBytes(string path) => null;

        public IReadOnlyList<EtwSession>? Sessions() => Array.ConvertAll(sessions, name => new EtwSession(name, string.Empty, 0, 0, 0));

        public string? StartSession(EtwSessionPlan plan) => throw new NotSupportedException();

        public bool StopSession(string name)
        {
            Calls.Add("stop " + name);
            return true;
        }

        public IDisposable Listen(IStackEventSink sink)
        {
            Calls.Add("listen");
            return this;
        }

        public void Dispose() => Calls.Add("end");

        public ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null) => throw new NotSupportedException();
    }
}
