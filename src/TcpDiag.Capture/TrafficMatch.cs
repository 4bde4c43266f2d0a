using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Capture;

/// <summary>
/// Which traffic to record. A small language of terms that must all hold: <c>tcp</c> or <c>udp</c>;
/// <c>host 10.0.0.1,2001:db8::/32</c> (either end has one of these addresses); <c>port 443,5000-5100</c> (either end has
/// one of these ports). <c>and</c> may stand between terms: <c>tcp and host 10.0.0.1 and port 443</c>.
/// </summary>
public sealed class TrafficMatch
{
    // Lists become jump chains in a kernel filter of at most 4096 instructions.
    const int MaxListEntries = 32;

    readonly AddressPrefix[] _hosts;
    readonly PortRange[] _ports;

    TrafficMatch(TransportProtocol protocol, AddressPrefix[] hosts, PortRange[] ports)
    {
        Protocol = protocol;
        _hosts = hosts;
        _ports = ports;
    }

    /// <summary>Every packet, also of protocols that are not IP.</summary>
    public static TrafficMatch Everything { get; } = new(TransportProtocol.Any, [], []);

    /// <summary>The protocol, or <see cref="TransportProtocol.Any"/>.</summary>
    public TransportProtocol Protocol { get; }

    /// <summary>One end must have one of these addresses; empty when it does not matter.</summary>
    public IReadOnlyList<AddressPrefix> Hosts => _hosts;

    /// <summary>One end must have one of these ports; empty when it does not matter.</summary>
    public IReadOnlyList<PortRange> Ports => _ports;

    /// <summary>Whether nothing is asked of a packet.</summary>
    public bool IsEverything => Protocol == TransportProtocol.Any && _hosts.Length == 0 && _ports.Length == 0;

    /// <summary>Reads a match.</summary>
    /// <param name="text">The terms.</param>
    /// <param name="match">The match, or null.</param>
    /// <param name="problem">What is wrong with the text, or null.</param>
    /// <returns>False when the text is no match.</returns>
    public static bool TryParse(string text, out TrafficMatch? match, out string? problem)
    {
        match = null;
        var builder = new Builder();
        string[] words = text.ToLowerInvariant().Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        for (int i = 0; i < words.Length; i++)
        {
            string value = i + 1 < words.Length ? words[i + 1] : string.Empty;
            problem = builder.Add(words[i], value, out bool usesValue);
            if (problem is not null)
            {
                return false;
            }

            i += usesValue ? 1 : 0;
        }

        var complete = new TrafficMatch(builder.Protocol, [.. builder.Hosts], [.. builder.Ports]);
        match = complete.IsEverything ? null : complete;
        problem = complete.IsEverything ? "expected at least one of: tcp, udp, host ADDRESS, port NUMBER" : null;
        return match is not null;
    }

    /// <summary>Whether a TCP connection is asked for.</summary>
    /// <param name="local">One end.</param>
    /// <param name="remote">The other end.</param>
    /// <returns>True when it is.</returns>
    public bool IncludesTcp(Endpoint local, Endpoint remote) =>
        Protocol != TransportProtocol.Udp
        && (_ports.Length == 0 || HasPort(local.Port) || HasPort(remote.Port))
        && (_hosts.Length == 0 || HasHost(local.Address) || HasHost(remote.Address));

    /// <summary>The terms, as <see cref="TryParse"/> reads them.</summary>
    /// <returns>The text; <c>everything</c> when nothing is asked.</returns>
    public override string ToString()
    {
        if (IsEverything)
        {
            return "everything";
        }

        string protocol = Protocol switch { TransportProtocol.Tcp => "tcp", TransportProtocol.Udp => "udp", _ => string.Empty };
        string hosts = _hosts.Length == 0 ? string.Empty : "host " + string.Join(',', _hosts);
        string ports = _ports.Length == 0 ? string.Empty : "port " + string.Join(',', _ports);
        return string.Join(' ', new[] { protocol, hosts, ports }.Where(term => term.Length > 0));
    }

    bool HasPort(ushort port)
    {
        foreach (PortRange range in _ports)
        {
            if (range.Contains(port))
            {
                return true;
            }
        }

        return false;
    }

    bool HasHost(IpAddress address)
    {
        foreach (AddressPrefix prefix in _hosts)
        {
            if (prefix.Contains(address))
            {
                return true;
            }
        }

        return false;
    }

    sealed class Builder
    {
        public TransportProtocol Protocol { get; private set; }

        public List<AddressPrefix> Hosts { get; } = [];

        public List<PortRange> Ports { get; } = [];

        public string? Add(string word, string value, out bool usesValue)
        {
            usesValue = word is "host" or "port";
            return word switch
            {
                "and" => null,
                "tcp" => SetProtocol(TransportProtocol.Tcp),
                "udp" => SetProtocol(TransportProtocol.Udp),
                "host" => AddAll<AddressPrefix>(value, AddressPrefix.TryParse, Hosts, "an address or prefix behind 'host'"),
                "port" => AddAll<PortRange>(value, PortRange.TryParse, Ports, "a port or range behind 'port'"),
                _ => $"expected tcp, udp, host, port or and; found '{word}'",
            };
        }

        string? SetProtocol(TransportProtocol protocol)
        {
            bool isOther = Protocol != TransportProtocol.Any && Protocol != protocol;
            Protocol = protocol;
            return isOther ? "expected one of tcp and udp, found both" : null;
        }

        static string? AddAll<T>(string list, TryParser<T> tryParse, List<T> target, string expected)
        {
            if (target.Count > 0)
            {
                return $"expected {expected} once, as a list with commas; found it again";
            }

            foreach (string item in list.Split(','))
            {
                if (!tryParse(item, out T value))
                {
                    return $"expected {expected}, found '{item}'";
                }

                target.Add(value);
            }

            return target.Count > MaxListEntries ? $"expected at most {MaxListEntries} entries, found {target.Count}" : null;
        }
    }

    delegate bool TryParser<T>(string text, out T value);
}
