using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Capture.Tests.Linux.Recording;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Capture.Tests.Snapshots;

/// <summary>The Linux readers against the programs that print the same facts.</summary>
[SupportedOSPlatform("linux")]
public sealed class LinuxSnapshotTests
{
    [LinuxFact("ethtool")]
    public void Interfaces_Features_AreThoseOfEthtool()
    {
        Dictionary<string, string> facts = InterfaceFacts.Read().Where(fact => fact.Subject is "lo").GroupBy(fact => fact.Name)
            .ToDictionary(group => group.Key, group => group.First().Value);
        (string Name, string Value)[] shown =
        [
            .. ExternalProgram.Run("ethtool", "-k", "lo").Lines.Skip(1).Select(line => line.Trim().Split(": "))
                .Select(parts => (parts[0], parts[1].EndsWith("[fixed]", StringComparison.Ordinal) ? parts[1] : parts[1].Split(' ')[0])),
        ];

        (string Name, string Value)[] common = [.. shown.Where(one => facts.ContainsKey(one.Name))];
        Assert.InRange(common.Length, 30, shown.Length);
        Assert.All(common, one => Assert.Equal(one.Value, facts[one.Name]));
        Assert.Equal("65536", facts["mtu"]);
    }

    [LinuxFact("ip")]
    public void Routes_AreThoseOfIp()
    {
        string[] shown = [.. ExternalProgram.Run("ip", "-4", "route").Lines.Where(line => line.Length > 0).Select(line => line.Split(' ')[0])
            .Order(StringComparer.Ordinal)];
        string[] found =
        [
            .. RouteFacts.Read().Select(fact => fact.Name["route ".Length..]).Where(name => !name.Contains(':', StringComparison.Ordinal))
                .Select(name => name.Replace("/32", string.Empty, StringComparison.Ordinal)),
        ];

        Assert.All(shown, route => Assert.Contains(route, found));
    }

    [LinuxFact("tc")]
    public void Qdiscs_AreThoseOfTc()
    {
        string[] shown = [.. ExternalProgram.Run("tc", "qdisc", "show").Lines.Where(line => line.StartsWith("qdisc ", StringComparison.Ordinal))
            .Select(line => line.Split(' ')[1]).Order(StringComparer.Ordinal)];
        string[] found = [.. QdiscFacts.Read().Select(fact => fact.Value.Split(' ')[0]).Order(StringComparer.Ordinal)];

        Assert.Equal(shown, found.Where(kind => shown.Contains(kind)));
        Assert.NotEmpty(shown);
    }

    [LinuxFact]
    public void Sockets_OwnConnection_IsThereWithItsTcpInfo()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client = new TcpClient(AddressFamily.InterNetwork);
        client.Connect((IPEndPoint)listener.LocalEndpoint);
        using TcpClient server = listener.AcceptTcpClient();

        string subject = $"{client.Client.LocalEndPoint} {client.Client.RemoteEndPoint}";
        SnapshotFact[] facts = [.. SocketFacts.Read().Where(fact => string.Equals(fact.Subject, subject, StringComparison.Ordinal))];
        Assert.Equal(["queues", "tcp_info", "skmem"], facts.Select(fact => fact.Name));
        Assert.Equal("state=1 receive=0 send=0", facts[0].Value);
        Assert.Contains(" cwndSegments=", facts[1].Value, StringComparison.Ordinal);
        Assert.Matches("^rmem_alloc=0 rcvbuf=[1-9]", facts[2].Value);
    }

    [LinuxFact]
    public void Sysctls_AreTheFilesOfProc()
    {
        SnapshotFact[] facts = [.. SysctlFacts.Read()];

        Assert.Contains(new SnapshotFact("", "net.ipv4.tcp_sack", File.ReadAllText("/proc/sys/net/ipv4/tcp_sack").Trim()), facts);
        Assert.DoesNotContain(facts, fact => fact.Name.Contains("fastopen_key", StringComparison.Ordinal));
    }

    [RootFact("ip")]
    public void Take_OfANamespace_IsWhatHoldsThere()
    {
        using var network = new TestNetwork();
        ExternalProgram.Run("ip", "netns", "exec", network.Client, "sh", "-c", "echo 0 > /proc/sys/net/ipv4/tcp_sack");

        SystemSnapshot snapshot = LinuxSnapshot.Take(network.Client, TimeProvider.System);

        Assert.All(snapshot.Sections, section => Assert.Null(section.Problem));
        Assert.Contains(new SnapshotFact("", "net.ipv4.tcp_sack", "0"), snapshot.Sections[1].Facts);
        Assert.Equal(["lo", network.ClientInterface], snapshot.Sections[2].Facts.Select(fact => fact.Subject).Distinct().Order(StringComparer.Ordinal));
        Assert.Contains(snapshot.Sections[4].Facts, fact => fact.ToString().Contains(network.ClientInterface, StringComparison.Ordinal));
    }

    [LinuxFact]
    public void Take_All_HasASectionEachWithoutProblem()
    {
        SystemSnapshot snapshot = LinuxSnapshot.Take(networkNamespace: null, TimeProvider.System);

        Assert.Equal(["machine", "sysctls", "interfaces", "qdiscs", "routes", "dns", "sockets"], snapshot.Sections.Select(section => section.Name));
        Assert.NotEmpty(snapshot.Sections[0].Facts);
    }
}
