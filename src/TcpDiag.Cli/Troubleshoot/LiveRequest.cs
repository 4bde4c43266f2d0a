using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using TcpDiag.Doctor;
using TcpDiag.Lab.Peers;
using TcpDiag.Redaction;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>What is to be recorded, and what becomes of it.</summary>
/// <param name="Target">The host that is slow; null for all.</param>
/// <param name="Url">What is fetched while recording; null for nothing.</param>
/// <param name="Process">The program that is slow; null for all.</param>
sealed record LiveRequest(DoctorTarget? Target, Uri? Url, string? Process)
{
    /// <summary>Whether what is slow happens by itself while recording; else the user does it.</summary>
    public bool IsHappening { get; init; }

    /// <summary>Whether consent was given beforehand.</summary>
    public bool IsAgreed { get; init; }

    /// <summary>Bytes sent to <see cref="Url"/> (PUT); null to fetch it (GET).</summary>
    public long? UploadBytes { get; init; }

    /// <summary>The machine to and from which data is sent while recording; null for none.</summary>
    public PeerEndpoint? Peer { get; init; }

    /// <summary>Whether <see cref="Peer"/> records too.</summary>
    public bool IsPeerRecording { get; init; }

    /// <summary>The code from which pseudonyms are made, so that recordings of two machines fit together; null for a secret of this run alone.</summary>
    public RedactionCode? Code { get; init; }

    /// <summary>Longest duration.</summary>
    public required TimeSpan Limit { get; init; }

    /// <summary>Folder for the results.</summary>
    public required string Folder { get; init; }

    /// <summary>Whether names and addresses stay in the files.</summary>
    public bool WithNames { get; init; }

    /// <summary>Numbers of the steps of the answer that are to be done.</summary>
    public IReadOnlyList<int> Apply { get; init; } = [];

    /// <summary>Which packets: those of the host or program, and the lookups of names, for which connections wait.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">The name of the host is not known.</exception>
    public MatchRule Match()
    {
        const string Lookups = "udp port 53";
        if (Process is { } process)
        {
            return MatchParser.Parse($"process {process}");
        }

        if (Peer is { } peer)
        {
            // but for the control connection
            return MatchParser.Parse(FormattableString.Invariant($"tcp and host {peer.Address.Address} and not port {peer.Address.Port}"));
        }

        if (Reached is not { } reached)
        {
            return MatchParser.Parse($"tcp or {Lookups}");
        }

        string hosts = string.Join(" or ", Dns.GetHostAddresses(reached.Host).Select(address => $"host {address}"));
        return MatchParser.Parse(FormattableString.Invariant($"(tcp port {reached.Port} and ({hosts})) or {Lookups}"));
    }

    // Through a proxy, connections end there.
    DoctorTarget? Reached => Url is { } url && System.Net.Http.HttpClient.DefaultProxy.GetProxy(url) is { } proxy && !HttpBypass(url)
        ? new(proxy.DnsSafeHost, proxy.Port)
        : Target;

    static bool HttpBypass(Uri url) => System.Net.Http.HttpClient.DefaultProxy.IsBypassed(url);
}
