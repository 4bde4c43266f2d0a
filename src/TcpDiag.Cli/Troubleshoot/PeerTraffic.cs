using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Doctor;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Sends to another machine and from it, first a little, then as much as takes some seconds at the rate that this showed.</summary>
/// <param name="peer">The other machine.</param>
/// <param name="isRecorded">Whether it records too.</param>
/// <param name="folder">For what it records.</param>
/// <param name="limit">When to give up, for all transfers together.</param>
sealed class PeerTraffic(PeerEndpoint peer, bool isRecorded, string folder, TimeSpan limit)
{
    const long FirstBytes = 256 * 1024; // past slow start on most paths, and 2 s at 1 Mbit/s
    const long MaxBytes = 64 << 20; // what a recording of headers has room for many times
    const double Seconds = 5;

    readonly List<string> _recordings = [];

    /// <summary>What the other machine recorded.</summary>
    public IReadOnlyList<string> Recordings => _recordings;

    /// <summary>Makes the transfers.</summary>
    /// <param name="say">Called before each of them that counts, with the direction, and behind it.</param>
    /// <returns>Both together.</returns>
    /// <exception cref="TcpDiag.Lab.LabException">The other machine refuses, is not there or went away.</exception>
    public HttpOutcome Run(Action<bool, HttpOutcome?> say)
    {
        HttpOutcome up = Run(isDownload: false, say);
        HttpOutcome down = Run(isDownload: true, say);
        return new(up.Bytes + down.Bytes, up.Time + down.Time, up.Error ?? down.Error);
    }

    HttpOutcome Run(bool isDownload, Action<bool, HttpOutcome?> say)
    {
        say(isDownload, null);
        TransferOutcome first = Transfer(isDownload, FirstBytes, recordedAs: null);
        long bytes = (long)Math.Clamp(first.Bytes / Math.Max(first.Time.TotalSeconds, 1e-3) * Seconds, FirstBytes, MaxBytes);
        TransferOutcome outcome = first.Error is null
            ? Transfer(isDownload, bytes, isRecorded ? Path.Combine(folder, TroubleshootRun.OriginalPrefix + (isDownload ? "far-download" : "far-upload")) : null)
            : first;
        if (outcome.Recording is { } recording)
        {
            _recordings.Add(recording);
        }

        var result = new HttpOutcome(outcome.Bytes, outcome.Time, outcome.Error is { } error ? (Message)$"{error}" : null);
        say(isDownload, result);
        return result;
    }

    TransferOutcome Transfer(bool isDownload, long bytes, string? recordedAs) =>
        new PeerTransfer(peer) { Bytes = bytes, Limit = limit / 4 }.Run(isDownload, recordedAs);
}
