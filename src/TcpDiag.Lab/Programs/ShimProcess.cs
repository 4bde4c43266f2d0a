using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using System.Threading;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Programs;

/// <summary>
/// A second <c>tcpdiag</c> that diverts packets, and ends when this object or this process does. It reports itself on
/// standard error what goes wrong.
/// </summary>
public sealed class ShimProcess : IDisposable
{
    readonly Process _process;

    /// <summary>Starts it.</summary>
    /// <param name="program">How this program is started again.</param>
    /// <param name="arguments">The command line of <c>shim run</c> behind the verb.</param>
    /// <exception cref="LabException">It did not start.</exception>
    public ShimProcess(LabProgram program, IEnumerable<string> arguments)
    {
        ProcessStartInfo start = new(program.File, [.. program.Prefix, "shim", "serve", .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        _process = Process.Start(start) ?? throw new LabException($"{program.File} did not start.");
    }

    /// <summary>Follows the process to its end; an interruption ends it first.</summary>
    /// <param name="progress">Called with the figures so far.</param>
    /// <param name="interruption">Ends it.</param>
    /// <returns>Its report; null when it ended without one, with the reason on standard error.</returns>
    public ShimReport? Follow(Action<ShimFigures> progress, CancellationToken interruption)
    {
        using CancellationTokenRegistration ending = interruption.Register(() => _process.StandardInput.Close());
        ShimReport? report = null;
        while (_process.StandardOutput.ReadLine() is { } line)
        {
            if (line.StartsWith("""{"figures":""", StringComparison.Ordinal))
            {
                report = JsonSerializer.Deserialize(line, ShimJson.Default.ShimReport);
            }
            else if (JsonSerializer.Deserialize(line, ShimJson.Default.ShimFigures) is { } figures)
            {
                progress(figures);
            }
        }

        _process.WaitForExit();
        return _process.ExitCode == 0 ? report : null;
    }

    /// <inheritdoc/>
    public void Dispose() => _process.Dispose();
}
