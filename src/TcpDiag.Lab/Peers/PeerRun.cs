using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Text.Json;
using System.Threading;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// What runs at a peer beside the receiver of a flow: the emulated path and a recorder, as processes, and the folder of what they leave until it was
/// sent.
/// </summary>
sealed class PeerRun : IDisposable
{
    readonly PeerFolder _folder = new();
    PeerPath? _path;
    ChildProcess? _recorder;
    string? _system;

    /// <summary>Starts what was asked for.</summary>
    /// <returns>The run: packets are impaired and recorded from now on.</returns>
    /// <exception cref="LabException">Packets cannot be diverted or recorded here.</exception>
    /// <exception cref="LabPartException">A process was killed, or did not get ready.</exception>
    public static PeerRun Open(PeerStart start, PeerRequest request, string match, TimeSpan limit, CancellationToken interruption)
    {
        PeerRun run = new();
        try
        {
            run.Start(start, request, match, limit, interruption);
            return run;
        }
        catch
        {
            run.Dispose();
            throw;
        }
    }

    /// <summary>Ends everything and sends what came of it: the last line, and the files behind it.</summary>
    /// <exception cref="LabPartException">A part failed.</exception>
    public void Finish(Socket control, IReadOnlyList<FlowReport> reports, CancellationToken interruption)
    {
        _recorder?.End(interruption);
        _recorder?.WriteLog(PathOf("receiver-capture.log"));
        ShimReport? path = _path?.End(interruption);
        CaptureFigures? capture = _recorder is null ? null : CaptureFigures.Read(_recorder.Output);
        IReadOnlyList<PeerFile> files = PeerFiles.List(_folder.FullName);
        PeerLine.Write(control, new PeerReply(null, 0, reports, path, capture, files, _system), LabJson.Default.PeerReply);
        PeerFiles.Send(control, _folder.FullName, files);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _recorder?.Dispose();
        _path?.Dispose();
        _folder.Dispose();
    }

    void Start(PeerStart start, PeerRequest request, string match, TimeSpan limit, CancellationToken interruption)
    {
        _system = request.Middle is null && start.OpenMachine is { } open
            ? EndFacts.Write(PathOf("receiver-system.json"), networkNamespace: null, open, interruption) : null;
        if (request.Path.Count > 0)
        {
            string[] between = request.Recording is { IsBetween: true } settings
                ? ["--between", PathOf("between.pcapng"), "--snap", settings.SnapBytes.ToString(CultureInfo.InvariantCulture)]
                : [];
            _path = PeerPath.Open(start, request, match, limit, ["--log", PathOf("decisions.tdil"), "--force", .. between], interruption);
        }

        if (request.Recording is { AtReceiver: true } recording)
        {
            _recorder = Recorder.Start(
                start.Program, "receiver", match, PathOf("receiver" + Recorder.Extension), limit, recording, recording.Events is RecordedEvents.Both);
            Recorder.Await(_recorder, interruption);
        }
    }

    string PathOf(string name) => Path.Combine(_folder.FullName, name);
}

/// <summary>
/// The emulated path of a run between two machines: a shim at the receiving one, for the connections of this run only. There, because the sender's
/// capture then shows what the sender did; what is lost on the way out of a machine never comes to its capture.
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
        ImpairmentOptionsParser parser = new(mayReadFiles: false); // whoever asks must not read this machine's files
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
        // A machine in the middle has the sender at its near interface: out is out there.
        IEnumerable<string> emulated = request.Path.SelectMany(
            option => new[] { $"--{option.Name}", request.Middle is null ? Turn(option.Value) : option.Value });
        ChildProcess shim = new(
            "The emulated path",
            start.Program,
            [
                "shim", "serve", "--match", match, "--seed", request.Seed.ToString(CultureInfo.InvariantCulture),
                "--for", string.Create(CultureInfo.InvariantCulture, $"{(long)limit.TotalSeconds}s"), .. start.Options, .. start.Middle, .. files, .. emulated,
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

/// <summary>
/// Where a peer keeps what it records until it was sent: somebody's private data, which must not stay behind. A file in the folder is held while its
/// process lives, and the next peer to start removes the folders whose file nobody holds.
/// </summary>
sealed class PeerFolder : IDisposable
{
    const string Prefix = "tcpdiag-peer-";
    const string HeldName = "in-use";

    readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory(Prefix);
    readonly FileStream _held;

    /// <summary>Makes one among the temporary files.</summary>
    public PeerFolder() => _held = Hold(FullName, FileMode.CreateNew);

    public string FullName => _folder.FullName;

    /// <summary>Removes what peers have left that were killed; what cannot be removed, or is another user's, stays.</summary>
    public static void RemoveAbandoned()
    {
        foreach (string folder in Directory.GetDirectories(Path.GetTempPath(), Prefix + "*"))
        {
            try
            {
                Hold(folder, FileMode.Open).Dispose();
                Directory.Delete(folder, recursive: true);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Its peer is alive, or it is none of ours.
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _held.Dispose();
        _folder.Delete(recursive: true);
    }

    static FileStream Hold(string folder, FileMode mode) => new(Path.Combine(folder, HeldName), mode, FileAccess.ReadWrite, FileShare.None);
}
