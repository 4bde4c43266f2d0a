using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// The shim of the win-x64 build, run by Wine, on a stand-in for WinDivert (StandIn/windivert.c) whose packets come from here and go back here. The stand-in
/// refuses what the reference does not allow, and tells it; then <see cref="Finish"/> throws.
/// </summary>
sealed class StandInNetwork : IDisposable
{
    readonly string _log = Path.GetTempFileName();
    readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    readonly Process _process;
    readonly StandInConnection _connection;
    readonly ConcurrentQueue<string> _notes = new();

    /// <summary>Starts the shim and waits until it diverts.</summary>
    /// <param name="match">Which packets.</param>
    /// <param name="options">What to do with them, e.g. <c>delay 1ms</c>.</param>
    /// <param name="onPacket">Told each packet that comes back, on a thread of its own.</param>
    /// <param name="isOpen">Whether the shim takes packets from its port at once.</param>
    /// <param name="variables">For the stand-in, <c>NAME=value</c>.</param>
    public StandInNetwork(string match, IEnumerable<string> options, Action<StandInPacket> onPacket, bool isOpen = true, params string[] variables)
    {
        _listener.Start();
        string port = FormattableString.Invariant($"STANDIN_PORT={((IPEndPoint)_listener.LocalEndpoint).Port}");
        string folder = WineProgram.There(WineProgram.PathOf("standin"));
        string[] arguments = ["shim", folder, WineProgram.There(_log), isOpen ? "open" : "closed", match,
            .. options.Select(option => option.Replace(' ', '='))];
        _process = WineProgram.Start(() => WineProgram.Start("winehost", [port, .. variables], arguments), out string? begin);
        if (begin is not "running")
        {
            _listener.Dispose();
            File.Delete(_log);
            throw new InvalidOperationException($"The shim did not start: {begin}");
        }

        _connection = new StandInConnection(_listener.AcceptSocket(), onPacket, _notes.Enqueue);
    }

    /// <summary>The same, open; a corrupted packet is meant to have a wrong checksum then.</summary>
    public static StandInNetwork Open(string match, string[] options, Action<StandInPacket> onPacket) =>
        new(match, options, onPacket, isOpen: true, options.Any(option => option.StartsWith("corrupt", StringComparison.Ordinal)) ? ["STANDIN_DAMAGED=1"] : []);

    /// <summary>What the stand-in told: how it was opened and set, and every wrong argument.</summary>
    public IReadOnlyList<string> Notes => [.. _notes];

    /// <summary>Lets a packet, or a flow, happen; it has the time at which the stand-in gets it.</summary>
    public void Send(ReadOnlySpan<byte> packet, in DivertAddress address) => _connection.Send(packet, in address);

    /// <summary>Lets a closed shim take packets.</summary>
    public void OpenGate()
    {
        _process.StandardInput.WriteLine("open");
        _process.StandardInput.Flush();
    }

    /// <summary>Ends the run when the stand-in has all that was sent.</summary>
    /// <returns>Its report and the decisions of its log.</returns>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish()
    {
        _connection.Flush();
        _process.StandardInput.Close();
        string output = _process.StandardOutput.ReadToEnd();
        _process.WaitForExit();
        _connection.Join();
        if (_notes.FirstOrDefault(note => note.StartsWith("wrong", StringComparison.Ordinal)) is { } wrong)
        {
            throw new InvalidOperationException(wrong);
        }

        ShimReport report = JsonSerializer.Deserialize(output, ShimJson.Default.ShimReport)!;
        using FileStream log = File.OpenRead(_log);
        DecisionLogReader reader = new(log);
        List<ImpairmentDecision> decisions = [];
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            decisions.Add(decision);
        }

        return (report, decisions);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.StandardInput.Close();
            _process.WaitForExit();
        }

        _process.Dispose();
        _connection.Dispose();
        _listener.Dispose();
        File.Delete(_log);
    }
}
