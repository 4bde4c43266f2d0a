using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;

namespace TcpDiag.Capture.Triggers;

/// <summary>The processes of this machine.</summary>
static class ProcessList
{
    /// <summary>Lists them.</summary>
    /// <returns>Name without path or <c>.exe</c> by id.</returns>
    public static Dictionary<int, string> Read()
    {
        var processes = new Dictionary<int, string>();
        foreach (Process process in Process.GetProcesses())
        {
            using (process)
            {
                try
                {
                    processes.Add(process.Id, process.ProcessName);
                }
                catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
                {
                    // It has ended meanwhile.
                }
            }
        }

        return processes;
    }
}
