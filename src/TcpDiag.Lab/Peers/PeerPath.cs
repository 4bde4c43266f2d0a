using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// The emulated path of a run between two machines: a shim at the receiving one, for the connections of this run only. There, because the sender's capture then shows
/// what the sender did; what is lost on the way out of a machine never comes to its capture.
/// </summary>
sealed class PeerPath : IDisposable
{
    readonly ChildProcess _shim;

    PeerPath(ChildProcess shim) => _shim = shim;

    /// <summary>Looks whether settings can be had. Nothing else than a path may be among them: they become options of a program.</summary>
    /// <param name="path">The settings, as a matrix has them.</param>
    /// <exception cref="ImpairmentException">One is not understood, or is none of a path.</exception>
    public static void Check(IReadOnlyList<LabOption> path)
    {
        ImpairmentOptionsParser parser = new();
        foreach (LabOption option in path)
        {
            parser.Set($"path: {option.Name}", option.Name, Turn(option.Value));
        }

        _ = parser.Build();
    }

    /// <summary>Begins to emulate.</summary>
    /// <param name="start">The program, and its options for the shim of this machine.</param>
    /// <param name="request">What was asked for; checked.</param>
    /// <param name="match">The packets of the run.</param>
    /// <param name="limit">The longest it may run.</param>
    /// <param name="files">Options for what it leaves.</param>
    /// <param name="interruption">Ends the wait for it.</param>
    /// <returns>The path; it impairs packets from now on.</returns>
    /// <exception cref="LabException">Packets cannot be diverted here.</exception>
    public static PeerPath Open(PeerStart start, PeerRequest request, string match, TimeSpan limit, IEnumerable<string> files, CancellationToken interruption)
    {
        IEnumerable<string> emulated = request.Path.SelectMany(option => new[] { $"--{option.Name}", Turn(option.Value) });
        ChildProcess shim = new(
            "The emulated path",
            start.Program,
            [
                "shim", "serve", "--match", match, "--seed", request.Seed.ToString(CultureInfo.InvariantCulture),
                "--for", string.Create(CultureInfo.InvariantCulture, $"{(long)limit.TotalSeconds}s"), .. start.Options, .. files, .. emulated,
            ]);
        try
        {
            shim.WaitForOutput(interruption);
            return new PeerPath(shim);
        }
        catch
        {
            shim.Dispose();
            throw;
        }
    }

    /// <summary>Ends it.</summary>
    /// <param name="interruption">Ends the wait.</param>
    /// <returns>What came of it.</returns>
    /// <exception cref="LabPartException">It failed.</exception>
    public ShimReport End(CancellationToken interruption)
    {
        _shim.End(interruption);
        return JsonSerializer.Deserialize(_shim.LastOutput, ShimJson.Default.ShimReport) ?? throw new LabPartException("The emulated path left no report.");
    }

    /// <inheritdoc/>
    public void Dispose() => _shim.Dispose();

    /// <summary>A value of a path as the receiver has it: what goes out from the sender comes in there.</summary>
    /// <param name="value">E.g. <c>out:1pct</c> or <c>behind:in:5ms</c>.</param>
    internal static string Turn(string value)
    {
        const string Out = "out:";
        const string In = "in:";
        const string Behind = "behind:";
        return value switch
        {
            _ when value.StartsWith(Behind, StringComparison.OrdinalIgnoreCase) => Behind + Turn(value[Behind.Length..]),
            _ when value.StartsWith(Out, StringComparison.OrdinalIgnoreCase) => In + value[Out.Length..],
            _ when value.StartsWith(In, StringComparison.OrdinalIgnoreCase) => Out + value[In.Length..],
            _ => value,
        };
    }
}
