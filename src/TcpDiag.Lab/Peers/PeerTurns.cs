using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using TcpDiag.Lab.Results;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// Whose run is next. With several sending machines it is never one's again before each of the others had its turn, so that what drifts meets all alike (A B A
/// B …). A machine is known by its address; for one that does not come, the others wait for a minute.
/// </summary>
/// <param name="listener">Where callers come; stays open.</param>
/// <param name="senders">How many machines send, at least one.</param>
sealed class PeerTurns(Socket listener, int senders) : IDisposable
{
    const int PollMicroseconds = 100_000;

    // Whoever floods us with calls gets no more sockets.
    const int MaxWaiting = 16;

    static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    static readonly TimeSpan SignOfLife = TimeSpan.FromSeconds(2);

    readonly List<Socket> _waiting = [];
    readonly Queue<IPAddress> _served = new();
    long _end = Stopwatch.GetTimestamp();
    long _told = Stopwatch.GetTimestamp();

    /// <summary>Waits for a caller, for a tenth of a second.</summary>
    /// <returns>The one whose turn it is; null without one.</returns>
    public Socket? Next()
    {
        if (listener.Poll(PollMicroseconds, SelectMode.SelectRead))
        {
            Add(listener.Accept());
        }

        bool isPatient = Stopwatch.GetElapsedTime(_end) < Patience;
        int next = _waiting.FindIndex(caller => !isPatient || !_served.Contains(AddressOf(caller)));
        if (next < 0)
        {
            TellToWait();
            return null;
        }

        Socket control = _waiting[next];
        _waiting.RemoveAt(next);
        _served.Enqueue(AddressOf(control));
        while (_served.Count >= senders)
        {
            _served.Dequeue();
        }

        return control;
    }

    /// <summary>A run has come to its end; from now on its machine's next one waits for those of the others.</summary>
    public void End() => _end = Stopwatch.GetTimestamp();

    /// <inheritdoc/>
    public void Dispose() => _waiting.ForEach(caller => caller.Dispose());

    static IPAddress AddressOf(Socket caller) => ((IPEndPoint)caller.RemoteEndPoint!).Address;

    void Add(Socket caller)
    {
        if (_waiting.Count < MaxWaiting)
        {
            _waiting.Add(caller);
        }
        else
        {
            caller.Dispose();
        }
    }

    // A caller gives up on a peer that says nothing.
    void TellToWait()
    {
        if (Stopwatch.GetElapsedTime(_told) < SignOfLife)
        {
            return;
        }

        _told = Stopwatch.GetTimestamp();
        foreach (Socket caller in _waiting.ToArray())
        {
            try
            {
                PeerLine.Write(caller, new PeerReply(null, 0, [], IsWaiting: true), LabJson.Default.PeerReply);
            }
            catch (IOException)
            {
                _waiting.Remove(caller); // it has gone
                caller.Dispose();
            }
        }
    }
}
