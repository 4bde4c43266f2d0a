using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Peers;

/// <summary>What runs at a peer beside the receiver of a flow: the emulated path and a recorder, as processes, and the folder of what they leave until it was sent.</summary>
sealed class PeerRun : IDisposable
{
    readonly PeerFolder _folder = new();
    PeerPath? _path;
    ChildProcess? _recorder;

    /// <summary>Starts what was asked for.</summary>
    /// <param name="start">How.</param>
    /// <param name="request">What; checked.</param>
    /// <param name="caller">The sending machine.</param>
    /// <param name="port">Where the flow is awaited here.</param>
    /// <param name="limit">The longest it may run.</param>
    /// <param name="interruption">Ends the wait for it.</param>
    /// <returns>The run: packets are impaired and recorded from now on.</returns>
    /// <exception cref="LabException">Packets cannot be diverted or recorded here.</exception>
    /// <exception cref="LabPartException">A process was killed, or did not get ready.</exception>
    public static PeerRun Open(PeerStart start, PeerRequest request, IPAddress caller, int port, TimeSpan limit, CancellationToken interruption)
    {
        PeerRun run = new();
        try
        {
            run.Start(start, request, string.Create(CultureInfo.InvariantCulture, $"tcp host {caller} port {port}"), limit, interruption);
            return run;
        }
        catch
        {
            run.Dispose();
            throw;
        }
    }

    /// <summary>Ends everything and tells of it: the last line, and the files behind it.</summary>
    /// <param name="control">Where to.</param>
    /// <param name="reports">What was received.</param>
    /// <param name="interruption">Ends the wait.</param>
    /// <exception cref="LabPartException">A part failed.</exception>
    public void Finish(Socket control, IReadOnlyList<FlowReport> reports, CancellationToken interruption)
    {
        _recorder?.End(interruption);
        _recorder?.WriteLog(PathOf("receiver-capture.log"));
        ShimReport? path = _path?.End(interruption);
        CaptureFigures? capture = _recorder is null ? null : CaptureFigures.Read(_recorder.Output);
        IReadOnlyList<PeerFile> files = PeerFiles.List(_folder.FullName);
        PeerLine.Write(control, new PeerReply(null, 0, reports, path, capture, files), LabJson.Default.PeerReply);
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
        if (request.Path.Count > 0)
        {
            string[] between = request.Recording is { IsBetween: true } settings ? ["--between", PathOf("between.pcapng"), "--snap", settings.SnapBytes.ToString(CultureInfo.InvariantCulture)] : [];
            _path = PeerPath.Open(start, request, match, limit, ["--log", PathOf("decisions.tdil"), .. between], interruption);
        }

        if (request.Recording is { AtReceiver: true } recording)
        {
            _recorder = Recorder.Start(start.Program, "receiver", match, PathOf("receiver" + Recorder.Extension), limit, recording, recording.Events is RecordedEvents.Both);
            Recorder.Await(_recorder, interruption);
        }
    }

    string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
