using System;
using System.Globalization;
using System.Net;

namespace TcpDiag.Lab.Peers;

/// <summary>Where a peer listens, and the secret it asks for.</summary>
/// <param name="Address">Address and port of its control connections.</param>
/// <param name="Token">The secret.</param>
public sealed record PeerEndpoint(IPEndPoint Address, string Token)
{
    /// <summary>What an address looks like, for messages.</summary>
    public const string Form = "HOST:PORT such as 192.0.2.7:5202";

    /// <summary>Whether a text has the form of an address with a port.</summary>
    /// <param name="text">The text.</param>
    /// <returns>True when it has; a name in it may still be unknown.</returns>
    public static bool IsAddress(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryReadPort(text, out string host, out _) && (!host.Contains(':', StringComparison.Ordinal) || IPAddress.TryParse(host, out _));
    }

    /// <summary>Reads an address with a port.</summary>
    /// <param name="text"><c>HOST:PORT</c>, an IPv6 address in brackets; a name is looked up.</param>
    /// <returns>The first address it has.</returns>
    /// <exception cref="LabException">It is none, or there is no such name.</exception>
    public static IPEndPoint ReadAddress(string text)
    {
        if (!IsAddress(text) || !TryReadPort(text, out string host, out ushort port))
        {
            throw new LabException($"expected {Form}, found '{text}'.");
        }

        try
        {
            return new IPEndPoint(IPAddress.TryParse(host, out IPAddress? address) ? address : Dns.GetHostAddresses(host)[0], port);
        }
        catch (System.Net.Sockets.SocketException unknown)
        {
            throw new LabException($"{host}: {unknown.Message}.");
        }
    }

    static bool TryReadPort(string text, out string host, out ushort port)
    {
        int colon = text.LastIndexOf(':');
        host = colon > 0 ? text[..colon] : string.Empty;
        port = 0;
        return host.Length > 0 && ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port);
    }
}
