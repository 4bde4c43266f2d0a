using System;
using System.Net;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// A machine as its own peer: a <see cref="PeerServer"/> in this process, for a system without network namespaces. What goes between two addresses of
/// one machine never comes to a cable, whichever cards they belong to: the shim sees it leaving, recorders at the cards see nothing of it.
/// </summary>
public sealed class OwnPeer : IDisposable
{
    const int TokenBytes = 16;

    readonly PeerServer _server;
    readonly CancellationTokenSource _stop = new();
    readonly Task _serving;

    /// <summary>Begins to serve.</summary>
    /// <param name="ends">Which addresses.</param>
    /// <param name="start">How a path is emulated here.</param>
    /// <exception cref="System.Net.Sockets.SocketException">The receiver's address is none of this machine.</exception>
    public OwnPeer(OwnEnds ends, PeerStart start)
    {
        string token = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(TokenBytes));

        // Both ways of such a packet leave: whose it is decides.
        PeerStart own = start with { Options = [.. start.Options, "--loopback-near", ends.Receiver.ToString()] };
        _server = new PeerServer(new IPEndPoint(ends.Receiver, 0), token, new PeerCaps(long.MaxValue, TimeSpan.MaxValue), own);
        Endpoint = new PeerEndpoint(_server.Address, token);
        _serving = Task.Factory.StartNew(
            () => _server.Run(_ => { }, _stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Where it listens.</summary>
    public PeerEndpoint Endpoint { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stop.Cancel();
        _serving.Wait();
        _server.Dispose();
        _stop.Dispose();
    }
}

/// <summary>Two addresses of this machine between which an experiment sends: those of two network cards, or of the loopback device.</summary>
/// <param name="Sender">The sender's.</param>
/// <param name="Receiver">The receiver's; another one, since it decides which way a packet goes.</param>
public sealed record OwnEnds(IPAddress Sender, IPAddress Receiver)
{
    /// <summary>Reads two addresses.</summary>
    /// <param name="text">E.g. <c>127.0.0.1+127.0.0.2</c>.</param>
    /// <returns>The ends.</returns>
    /// <exception cref="LabException">They are not two, of one family.</exception>
    public static OwnEnds Read(string text) =>
        text.Split('+') is [var one, var other]
            && IPAddress.TryParse(one, out IPAddress? sender) && IPAddress.TryParse(other, out IPAddress? receiver)
            && sender.AddressFamily == receiver.AddressFamily && !sender.Equals(receiver)
            ? new OwnEnds(sender, receiver)
            : throw new LabException($"--ends: expected two different addresses of this machine such as 127.0.0.1+127.0.0.2, found '{text}'.");

    /// <inheritdoc/>
    public override string ToString() => $"{Sender}+{Receiver}";
}
