using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Capture.Linux;
using TcpDiag.Traces;
using TcpDiag.Traces.Inspection;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>A recording in the background, and what its file holds.</summary>
[SupportedOSPlatform("linux")]
sealed class BackgroundRecording : IDisposable
{
    readonly string _path = Path.GetTempFileName();
    readonly CancellationTokenSource _stop = new();
    readonly Task<CaptureSummary> _run;

    /// <summary>Begins.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="meanwhile">Runs while everything is recorded and nothing is read yet.</param>
    /// <param name="isStopped">Whether it is cancelled before it begins to read.</param>
    public BackgroundRecording(CaptureSettings settings, Action? meanwhile = null, bool isStopped = false)
    {
        LinuxRecorder recorder = LinuxRecorder.Open(settings, new FileStream(_path, FileMode.Create));
        meanwhile?.Invoke();
        if (isStopped)
        {
            _stop.Cancel();
        }

        _run = Task.Run(() =>
        {
            using (recorder)
            {
                return recorder.Run(_stop.Token);
            }
        });
    }

    /// <summary>Settings for a recording at interfaces; long limits, because tests stop it themselves.</summary>
    public static CaptureSettings At(string match, params string[] interfaces) => new()
    {
        Match = MatchParser.Parse(match),
        Interfaces = Array.ConvertAll(interfaces, CaptureInterface.Parse),
        Duration = TimeSpan.FromMinutes(1),
    };

    /// <summary>Waits for the recording to end by itself.</summary>
    public CaptureSummary Wait() => _run.GetAwaiter().GetResult();

    /// <summary>Ends the recording.</summary>
    public CaptureSummary Stop()
    {
        _stop.Cancel();
        return _run.GetAwaiter().GetResult();
    }

    /// <summary>All packets of the file, or of another, in its order: interface, bytes and length on the wire.</summary>
    public List<(int Interface, string Data, int Length)> Packets(string? path = null)
    {
        var packets = new List<(int, string, int)>();
        using TraceReader reader = TraceFile.Open([path ?? _path]);
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet)
            {
                packets.Add((record.InterfaceIndex, Convert.ToHexString(record.Data), record.OriginalLength));
            }
        }

        Xunit.Assert.Empty(reader.Problems);
        return packets;
    }

    /// <summary>Length of the file.</summary>
    public long Length => new FileInfo(_path).Length;

    /// <summary>What the file holds.</summary>
    public TraceInspection Inspect() => TraceInspector.Inspect(_path);

    /// <summary>What is made of each stack event of the file.</summary>
    public List<T> Events<T>(Func<StackEvent, T> select)
    {
        var events = new List<T>();
        using TraceReader reader = TraceFile.Open([_path]);
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.StackEvent)
            {
                events.Add(select(record.Event!));
            }
        }

        return events;
    }

    public void Dispose()
    {
        _stop.Cancel();
        ((IAsyncResult)_run).AsyncWaitHandle.WaitOne();
        _stop.Dispose();
        File.Delete(_path);
    }
}
