using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.StandIns;

namespace TcpDiag.Scripts.Tests;

/// <summary>A machine that notes what PowerShell is asked, and answers every question alike.</summary>
sealed class AskedMachine : QuietMachine
{
    readonly ConcurrentBag<string> _questions = [];

    /// <summary>What PowerShell was asked.</summary>
    public IReadOnlyCollection<string> Questions => _questions;

    public override ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null)
    {
        ArgumentNullException.ThrowIfNull(call);
        if (call.Program is not "powershell")
        {
            return new(0, "pushd interface tcp\nset global rss=enabled\npopd\n");
        }

        _questions.Add(call.Arguments[^1]);
        return new(0, """[{"Name":"Ethernet","Enabled":true}]""");
    }
}
