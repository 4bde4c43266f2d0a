using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading;
using TcpDiag.Doctor;
using TcpDiag.Doctor.Answers;
using TcpDiag.Lab;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Sends to another machine and from it, first a little, then as much as takes some seconds at the rate that this showed.</summary>
/// <param name="peer">The other machine.</param>
/// <param name="isRecorded">Whether it records too.</param>
/// <param name="folder">For what it records.</param>
/// <param name="limit">When to give up, for all transfers together.</param>
/// <param name="stop">Ends it, which is no failure.</param>
sealed class PeerTraffic(PeerEndpoint peer, bool isRecorded, string folder, TimeSpan limit, CancellationToken stop)
{
    const long FirstBytes = 256 * 1024; // past slow start on most paths, and 2 s at 1 Mbit/s
    const long MaxBytes = 64 << 20; // what a recording of headers has room for many times
    const double Seconds = 5;

    readonly List<string> _recordings = [];
    bool _isKnown;

    /// <summary>What the other machine recorded.</summary>
    public IReadOnlyList<string> Recordings => _recordings;

    TimeSpan LimitOfEach => limit / 4;

    /// <summary>Makes the transfers.</summary>
    /// <param name="say">Called before each of them that counts, with the direction, and behind it.</param>
    /// <returns>Both together.</returns>
    /// <exception cref="LabException">The other machine refuses, or is not there.</exception>
    public TransferResult Run(Action<bool, TransferResult?> say)
    {
        TransferResult up = Run(isDownload: false, say);
        TransferResult down = Run(isDownload: true, say);
        return new(up.Bytes + down.Bytes, up.Time + down.Time, up.Error ?? down.Error);
    }

    TransferResult Run(bool isDownload, Action<bool, TransferResult?> say)
    {
        if (stop.IsCancellationRequested)
        {
            return new(0, TimeSpan.Zero, null);
        }

        say(isDownload, null);
        TransferResult result = Transfer(isDownload, FirstBytes, recordedAs: null);
        if (result.Error is null && !stop.IsCancellationRequested)
        {
            long bytes = (long)Math.Clamp(result.Bytes / Math.Max(result.Time.TotalSeconds, 1e-3) * Seconds, FirstBytes, MaxBytes);
            string name = TroubleshootRun.OriginalPrefix + (isDownload ? "far-download" : "far-upload");
            result = Transfer(isDownload, bytes, isRecorded ? Path.Combine(folder, name) : null);
        }

        say(isDownload, result);
        return result;
    }

    // Once data has gone between the two, what ends it is something to be explained, and the recording has it.
    TransferResult Transfer(bool isDownload, long bytes, string? recordedAs)
    {
        long begun = Stopwatch.GetTimestamp();
        try
        {
            TransferOutcome outcome = new PeerTransfer(peer) { Bytes = bytes, Limit = LimitOfEach }.Run(isDownload, recordedAs, stop);
            _isKnown = true;
            if (outcome.Recording is { } recording)
            {
                _recordings.Add(recording);
            }

            return new(outcome.Bytes, outcome.Time, Reason(outcome.End));
        }
        catch (Exception ended) when (stop.IsCancellationRequested && ended is (OperationCanceledException or LabException or IOException))
        {
            return new(0, Stopwatch.GetElapsedTime(begun), null);
        }
        catch (Exception gone) when (_isKnown && gone is (LabException or IOException))
        {
            return new(0, Stopwatch.GetElapsedTime(begun), $"the other machine: {gone.Message}");
        }
    }

    Message? Reason(FlowOutcome end) => end switch
    {
        FlowOutcome.Complete => null,
        FlowOutcome.TimeLimit => (Message)$"no end within {LimitOfEach.TotalSeconds:0} s",
        FlowOutcome.Reset => "the other machine reset the connection",
        _ => "the other machine closed the connection before everything had come",
    };
}

/// <summary>What became of a transfer that was made to be recorded.</summary>
/// <param name="Bytes">Bytes that arrived here, or were handed over to be sent.</param>
/// <param name="Time">How long it took.</param>
/// <param name="Error">Why it failed; null when it did not.</param>
sealed record TransferResult(long Bytes, TimeSpan Time, Message? Error)
{
    /// <summary>Whether this program ended it while data was still coming.</summary>
    public bool IsCutShort { get; init; }

    /// <summary>How it ended.</summary>
    public TransferEnd End => Error is not null ? TransferEnd.Failed : IsCutShort ? TransferEnd.CutShort : TransferEnd.Complete;
}
