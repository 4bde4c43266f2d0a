using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>Two network namespaces of this test's own, joined by an emulated link that runs until the object is disposed of.</summary>
[SupportedOSPlatform("linux")]
sealed class LinkLab : ILinkLab
{
    readonly LinkNamespaces _hosts;
    readonly LinkRun _run;

    public LinkLab(bool isIpv6, string match, params string[] options)
        : this(isIpv6, isOpen: true, new MemoryStream(), match, options)
    {
    }

    LinkLab(bool isIpv6, bool isOpen, Stream log, string match, string[] options)
    {
        _hosts = new LinkNamespaces(isIpv6);
        _run = new LinkRun(_hosts.Link, isOpen, MatchParser.Parse(match), options, new ShimOptions { TimeLimit = TimeSpan.FromMinutes(15), Log = log });
    }

    /// <summary>A link that takes no packets until it is opened.</summary>
    public static LinkLab Closed(string match, params string[] options) => new(isIpv6: false, isOpen: false, new MemoryStream(), match, options);

    /// <summary>A link whose log is written but not kept.</summary>
    public static LinkLab Unlogged(string match, params string[] options) => new(isIpv6: false, isOpen: true, Stream.Null, match, options);

    public IPAddress NearAddress => _hosts.NearAddress;

    public IPAddress FarAddress => _hosts.FarAddress;

    public TimeSpan Patience => NumberedDatagrams.Patience;

    public Socket NearSocket(SocketType type, ProtocolType protocol) => _hosts.NearSocket(type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => _hosts.FarSocket(type, protocol);

    public void Open() => _run.Open();

    /// <summary>Ends the run.</summary>
    public ShimReport Stop() => _run.Stop();

    /// <summary>Ends the run and reads its log.</summary>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish() => Finish(out _);

    /// <summary>Ends the run and reads its log.</summary>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish(out RunLosses losses) => _run.Finish(out losses);

    public void Dispose()
    {
        _run.Dispose();
        _hosts.Dispose();
    }
}
