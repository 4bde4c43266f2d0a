using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Testing;

/// <summary>What a program printed and how it ended.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">Standard output.</param>
/// <param name="Error">Standard error.</param>
public sealed record ProgramResult(int ExitCode, string Output, string Error)
{
    /// <summary>The lines of standard output, without an empty last one.</summary>
    public IReadOnlyList<string> Lines => Output.Length == 0 ? [] : Output.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
}

/// <summary>Runs other programs (tshark, python3 …) within a time limit.</summary>
public static class ExternalProgram
{
    /// <summary>Looks a program up on the path.</summary>
    public static string? Find(string name)
    {
        string file = OperatingSystem.IsWindows() && !Path.HasExtension(name) ? name + ".exe" : name;
        return (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator).Append("/usr/sbin").Append("/sbin")
            .Select(folder => Path.Combine(folder, file)).FirstOrDefault(File.Exists);
    }

    /// <summary>Runs a program to its end and requires exit code 0.</summary>
    /// <exception cref="InvalidOperationException">It failed, or took longer than <see cref="Patience"/>.</exception>
    public static ProgramResult Run(string name, params string[] arguments)
    {
        ProgramResult result = TryRun(name, arguments);
        return result.ExitCode == 0
            ? result
            : throw new InvalidOperationException($"{name} {string.Join(' ', arguments)}: exit code {result.ExitCode}\n{result.Error}");
    }

    /// <summary>Runs a program to its end, whatever its exit code; kills it after the limit, <see cref="Patience"/> when not given.</summary>
    /// <exception cref="InvalidOperationException">It is missing, or took too long.</exception>
    public static ProgramResult TryRun(string name, IEnumerable<string> arguments, TimeSpan? limit = null)
    {
        var start = new ProcessStartInfo(Find(name) ?? throw new InvalidOperationException($"{name} is not on the path"), arguments)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException($"{name} did not start");
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        using var timer = new CancellationTokenSource(limit ?? Patience.Limit);
        try
        {
            process.WaitForExitAsync(timer.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException exception)
        {
            process.Kill(entireProcessTree: true);
            throw new InvalidOperationException($"{name} {string.Join(' ', start.ArgumentList)}: still running after its time limit", exception);
        }

        return new ProgramResult(process.ExitCode, output.GetAwaiter().GetResult(), error.GetAwaiter().GetResult());
    }
}

/// <summary>How long tests wait for what must come: far longer than it takes, also on a machine that stands still for a while.</summary>
public static class Patience
{
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);
}
