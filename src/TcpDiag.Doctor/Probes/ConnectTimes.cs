using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Probes;

/// <summary>Connects to the host once over IPv4 and once over IPv6: programs prefer one, and wait if it does not answer.</summary>
static class ConnectTimes
{
    // Long enough for one lost SYN (RFC 6298: repeated after 1 s), short enough to wait for.
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    public static IEnumerable<Check> Check(DoctorTarget target)
    {
        IPAddress[] all;
        try
        {
            all = Dns.GetHostAddresses(target.Host);
        }
        catch (SocketException exception)
        {
            return [new(CheckIds.Connect, CheckResult.Problem, exception.SocketErrorCode is SocketError.HostNotFound or SocketError.NoData
                ? (Message)$"{target.Host}: no name server knows this name"
                : $"{target.Host}: {exception.Message}")
                { Remedy = new("Check the spelling of the name, and the name servers above.", null, null, Doer.User) }];
        }

        Outcome[] outcomes = Task.WhenAll(all.DistinctBy(address => address.AddressFamily).Select(address => TryTwice(address, target.Port))).Result;
        bool isAnyConnected = outcomes.Any(outcome => outcome.Error is null);
        return outcomes.Select(outcome => Judge(outcome, target, isAnyConnected));
    }

    // The first one also waits for ARP, and for this program to be compiled: the second is what a connection takes.
    static async Task<Outcome> TryTwice(IPAddress address, int port)
    {
        Outcome first = await TryConnect(address, port).ConfigureAwait(false);
        return first.Error is null ? await TryConnect(address, port).ConfigureAwait(false) : first;
    }

    static async Task<Outcome> TryConnect(IPAddress address, int port)
    {
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        using var limit = new CancellationTokenSource(Patience);
        long begun = Stopwatch.GetTimestamp();
        try
        {
            await socket.ConnectAsync(address, port, limit.Token).ConfigureAwait(false);
            return new(address, Stopwatch.GetElapsedTime(begun), null);
        }
        catch (OperationCanceledException)
        {
            return new(address, Stopwatch.GetElapsedTime(begun), $"no answer within {Patience.TotalSeconds} s");
        }
        catch (SocketException exception)
        {
            return new(address, Stopwatch.GetElapsedTime(begun), exception.SocketErrorCode switch
            {
                SocketError.ConnectionRefused => (Message)"refused: nothing listens there",
                SocketError.NetworkUnreachable or SocketError.HostUnreachable => "there is no way to it from here",
                SocketError.TimedOut => "no answer",
                _ => $"the system says: {exception.Message}",
            });
        }
    }

    static Check Judge(Outcome outcome, DoctorTarget target, bool isAnyConnected)
    {
        string family = outcome.Address.AddressFamily is AddressFamily.InterNetworkV6 ? "IPv6" : "IPv4";
        Message what = $"{family} to {outcome.Address} port {target.Port}";
        if (outcome.Error is not { } error)
        {
            return new(CheckIds.Connect, CheckResult.Fine, $"{what}: connected in {outcome.Time.TotalMilliseconds:0} ms");
        }

        string trace = OperatingSystem.IsWindows() ? $"tracert -d {outcome.Address}" : $"tracepath -n {outcome.Address}";
        return new(CheckIds.Connect, CheckResult.Problem, $"{what}: {error}")
        {
            Remedy = isAnyConnected
                ? new($"Programs may try {family} first and wait. Have {family} to it mended, or its address taken out of the name.", trace, null, Doer.FarEnd)
                : new("The other side is not there, or something between refuses it: ask there; this shows how far packets come.", trace, null, Doer.FarEnd),
            BearsOn = [FindingIds.SynRetransmitted],
        };
    }

    sealed record Outcome(IPAddress Address, TimeSpan Time, Message? Error);
}
