using System;
using System.Globalization;
using System.Threading;
using TcpDiag.Testing;

namespace TcpDiag.Shim.Tests;

/// <summary>Three network namespaces in a row: a client, a machine in the middle with an interface to each side, and a server. Nothing is emulated
/// yet.</summary>
sealed class MiddleNetwork : IDisposable
{
    /// <summary>The middle's interface to the client.</summary>
    public const string Near = "eth1";

    /// <summary>The middle's interface to the server.</summary>
    public const string Far = "eth2";

    static readonly TimeSpan LongestStart = TimeSpan.FromSeconds(10);

    static int _count;

    readonly string _place = string.Create(CultureInfo.InvariantCulture, $"tdm{Environment.ProcessId % 100_000}x{Interlocked.Increment(ref _count)}");

    /// <summary>Makes them.</summary>
    /// <param name="isRouted">Whether the middle is a router; else client and server are of one network, and nothing joins them.</param>
    public MiddleNetwork(bool isRouted)
    {
        foreach (string name in new[] { Client, Middle, Server })
        {
            Ip("netns", "add", name);
            Ip("-n", name, "link", "set", "lo", "up");

            // A link-local address would be tried out for a second or two, and nobody be asked for a neighbour's meanwhile.
            Ip("netns", "exec", name, "sysctl", "-q", "-w", "net.ipv6.conf.default.accept_dad=0");
        }

        AddCable(Client, Near, "1");
        AddCable(Server, Far, "2");
        (ClientAddress, ServerAddress, ServerAddress6) = isRouted ? ("10.78.1.1", "10.78.2.1", "fd78:2::1") : ("10.78.0.1", "10.78.0.2", "fd78::2");
        AddEnd(Client, ClientAddress, isRouted ? "fd78:1::1" : "fd78::1");
        AddEnd(Server, ServerAddress, ServerAddress6);
        Ip("-n", Middle, "link", "set", Near, "up");
        Ip("-n", Middle, "link", "set", Far, "up");
        if (isRouted)
        {
            AddRouter();
        }
        else
        {
            Meet(Client, [ServerAddress, ServerAddress6], Link("e", "2"));
            Meet(Server, [ClientAddress, "fd78::1"], Link("e", "1"));
        }

        // What is sent before the kernel has noticed that the cable is there is dropped.
        foreach ((string name, string device) in new[] { (Client, "e0"), (Server, "e0"), (Middle, Near), (Middle, Far) })
        {
            SpinWait.SpinUntil(() => ExternalProgram.Run("ip", "-n", name, "link", "show", device).Output.Contains("state UP", StringComparison.Ordinal),
                LongestStart);
        }
    }

    /// <summary>The client's namespace.</summary>
    public string Client => _place + "c";

    /// <summary>The namespace in the middle.</summary>
    public string Middle => _place + "m";

    /// <summary>The server's namespace.</summary>
    public string Server => _place + "s";

    /// <summary>The client's address.</summary>
    public string ClientAddress { get; }

    /// <summary>The server's address.</summary>
    public string ServerAddress { get; }

    /// <summary>Its address of IPv6.</summary>
    public string ServerAddress6 { get; }

    /// <summary>Switches forwarding in the middle on or off.</summary>
    public void Forward(bool isOn)
    {
        string value = isOn ? "1" : "0";
        foreach (string setting in new[] { $"ipv4.conf.{Near}", $"ipv4.conf.{Far}", "ipv6.conf.all" })
        {
            Ip("netns", "exec", Middle, "sysctl", "-q", "-w", $"net.{setting}.forwarding={value}");
        }
    }

    /// <summary>Joins both sides by a bridge of the system's.</summary>
    /// <param name="isSeen">Whether the hooks of netfilter see what it passes on.</param>
    public void Bridge(bool isSeen)
    {
        Ip("-n", Middle, "link", "add", "br0", "type", "bridge");
        Ip("netns", "exec", Middle, "sysctl", "-q", "-w", $"net.bridge.bridge-nf-call-iptables={(isSeen ? "1" : "0")}");
        foreach (string port in new[] { Near, Far })
        {
            Ip("-n", Middle, "link", "set", port, "master", "br0");
        }

        Ip("-n", Middle, "link", "set", "br0", "up");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (string name in new[] { Client, Middle, Server })
        {
            ExternalProgram.TryRun("ip", ["netns", "del", name]);
        }
    }

    static string Link(string kind, string network) => $"02:00:00:00:7{kind}:0{network}";

    // What waits for the answer of a neighbour is lost or overtaken when there is much of it: all know each other from the start.
    static void Meet(string name, string[] addresses, string link, string device = "e0")
    {
        foreach (string address in addresses)
        {
            Ip("-n", name, "neigh", "replace", address, "lladdr", link, "dev", device, "nud", "permanent");
        }
    }

    void AddCable(string end, string device, string network) => Ip(
        "link", "add", "e0", "address", Link("e", network), "netns", end, "type", "veth",
        "peer", "name", device, "address", Link("f", network), "netns", Middle);

    static void AddEnd(string name, string address, string address6)
    {
        Ip("-n", name, "addr", "add", address + "/24", "dev", "e0");
        Ip("-n", name, "addr", "add", address6 + "/64", "dev", "e0", "nodad");
        Ip("-n", name, "link", "set", "e0", "up");
    }

    void AddRouter()
    {
        foreach ((string device, string network) in new[] { (Near, "1"), (Far, "2") })
        {
            Ip("-n", Middle, "addr", "add", $"10.78.{network}.254/24", "dev", device);
            Ip("-n", Middle, "addr", "add", $"fd78:{network}::fe/64", "dev", device, "nodad");
            Meet(network is "1" ? Client : Server, [$"10.78.{network}.254", $"fd78:{network}::fe"], Link("f", network));
            Meet(Middle, [$"10.78.{network}.1", $"fd78:{network}::1"], Link("e", network), device);
        }

        foreach ((string name, string network) in new[] { (Client, "1"), (Server, "2") })
        {
            Ip("-n", name, "route", "add", "default", "via", $"10.78.{network}.254");
            Ip("-n", name, "-6", "route", "add", "default", "via", $"fd78:{network}::fe");
        }

        Forward(isOn: true);
    }

    static void Ip(params string[] arguments) => ExternalProgram.Run("ip", arguments);
}
