using System;
using System.Net;

namespace TcpDiag.Lab.Peers;

/// <summary>Where a peer listens, and the secret to tell it.</summary>
/// <param name="Address">Address and port of its control connections.</param>
/// <param name="Token">The secret.</param>
public sealed record PeerEndpoint(IPEndPoint Address, string Token)
{
    /// <summary>Reads an address with a port.</summary>
    /// <param name="text"><c>HOST:PORT</c>; a name is looked up.</param>
    /// <returns>The first address it has.</returns>
    /// <exception cref="LabException">It is none, or there is no such name.</exception>
    public static IPEndPoint ReadAddress(string text)
    {
        if (IPEndPoint.TryParse(text, out IPEndPoint? address))
        {
            return address;
        }

        int colon = text.LastIndexOf(':');
        if (colon <= 0 || !ushort.TryParse(text.AsSpan(colon + 1), out ushort port))
        {
            throw new LabException($"expected HOST:PORT such as 192.0.2.7:5202, found '{text}'.");
        }

        try
        {
            return new IPEndPoint(Dns.GetHostAddresses(text[..colon])[0], port);
        }
        catch (System.Net.Sockets.SocketException unknown)
        {
            throw new LabException($"{text[..colon]}: {unknown.Message}.");
        }
    }
}
