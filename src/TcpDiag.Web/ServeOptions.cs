using System;
using System.Collections.Generic;
using System.Net;
using TcpDiag.Store;

namespace TcpDiag.Web;

/// <summary>How a store is served.</summary>
/// <param name="Listen">Where to listen; port 0 for any that is free.</param>
/// <param name="Token">The secret without which nothing but <c>/healthz</c> is answered.</param>
/// <param name="Location">The store, as it is named in answers.</param>
/// <param name="OpenStore">Opens it; a store is used by one request at a time.</param>
public sealed record ServeOptions(IPEndPoint Listen, AccessToken Token, string Location, Func<IResultStore> OpenStore)
{
    /// <summary>Names by which the server may be asked for besides its addresses and <c>localhost</c>.</summary>
    public IReadOnlyList<string> HostNames { get; init; } = [];

    /// <summary>Whether recordings are read for their graphs, which show addresses as they are.</summary>
    public bool ReadsRecordings { get; init; } = true;

    /// <summary>Takes a line about what went wrong on our side.</summary>
    public Action<string> Told { get; init; } = static _ => { };

    /// <summary>What a client may ask for.</summary>
    public ServeLimits Limits { get; init; } = new();
}

/// <summary>What a client may ask for, so that none of them keeps the server from others.</summary>
public sealed record ServeLimits
{
    /// <summary>How long the head of a request may take to come.</summary>
    public TimeSpan HeadTime { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a connection may be idle.</summary>
    public TimeSpan IdleTime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Connections at once.</summary>
    public int Connections { get; init; } = 100;

    /// <summary>Requests of one address at once; so many come back each second by <see cref="RequestsPerSecond"/>.</summary>
    public int Burst { get; init; } = 200;

    /// <summary>Requests of one address in a second, in the long run.</summary>
    public int RequestsPerSecond { get; init; } = 50;

    /// <summary>Requests that ask the store at once; others wait.</summary>
    public int Readers { get; init; } = Math.Max(2, Environment.ProcessorCount);

    /// <summary>Bytes of a recording whose graphs are drawn here; larger ones take minutes.</summary>
    public long RecordingBytes { get; init; } = 4L << 30;
}
