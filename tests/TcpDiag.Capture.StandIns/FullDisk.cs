using System;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.StandIns;

/// <summary>A disk without room from the time a recording has started until it is to be stopped: where <c>full-after-start</c> names a folder, a file in it takes all there is.</summary>
sealed class FullDisk : IDisposable
{
    readonly string? _filling;

    FullDisk(string? filling) => _filling = filling;

    /// <summary>Makes room before a program stops something; disposed of after one that starts something, takes it.</summary>
    /// <param name="state">The machine.</param>
    /// <param name="call">The program.</param>
    /// <returns>To dispose of after the program.</returns>
    public static FullDisk Around(MachineState state, ProgramCall call)
    {
        string folder = state.Answer("full-after-start");
        string? filling = folder is "success" ? null : Path.Combine(folder, "filling");
        if (filling is not null && call.Arguments.Contains("stop"))
        {
            File.Delete(filling);
        }

        return new(call.Arguments.Contains("start") ? filling : null);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_filling is null)
        {
            return;
        }

        using var file = new FileStream(_filling, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        try
        {
            while (true)
            {
                file.Write(new byte[Environment.SystemPageSize]);
            }
        }
        catch (IOException)
        {
            // Full.
        }
    }
}
