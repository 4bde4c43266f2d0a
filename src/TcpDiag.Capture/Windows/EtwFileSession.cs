using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Session;

namespace TcpDiag.Capture.Windows;

/// <summary>Begins event tracing sessions that write a file, and goes on when this process ends: <see cref="EtwSessions"/> finds and stops them.</summary>
[SupportedOSPlatform("windows")]
static class EtwFileSession
{
    /// <summary>Whether TraceEvent says by this that Windows, or what stands in for it, has no such session.</summary>
    /// <param name="exception">What it throws.</param>
    /// <returns>True if so.</returns>
    public static bool IsRefusal(Exception exception) => exception is COMException or UnauthorizedAccessException or TypeInitializationException or EntryPointNotFoundException or DllNotFoundException;

    /// <summary>Begins a session.</summary>
    /// <param name="plan">The session.</param>
    /// <returns>What Windows says if it refuses it; null when it runs.</returns>
    public static string? Start(EtwSessionPlan plan)
    {
        try
        {
            using var session = new TraceEventSession(plan.Name, plan.LogFile)
            {
                StopOnDispose = false,
                BufferSizeMB = plan.BufferMebibytes,
                BufferQuantumKB = plan.BufferKilobytes,
            };
            if (plan.PieceMebibytes is { } piece)
            {
                // EVENT_TRACE_FILE_MODE_NEWFILE: trace1.etl, trace2.etl …
                session.MultiFileMB = piece;
            }
            else if (plan.IsCircular)
            {
                session.CircularBufferMB = plan.FileMebibytes;
            }
            else
            {
                // It must not fill the disk when this process is gone.
                session.MaximumFileMB = plan.FileMebibytes;
            }

            foreach (StackProvider provider in plan.Providers)
            {
                session.EnableProvider(provider.Id, (TraceEventLevel)provider.Level, ulong.MaxValue);
                if (provider.TellsState)
                {
                    session.CaptureState(provider.Id, ulong.MaxValue);
                }
            }

            return null;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            _ = EtwSessions.Stop(plan.Name);
            return exception.Message;
        }
    }
}
