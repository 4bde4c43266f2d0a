using System;
using System.Buffers.Text;
using System.Net;
using TcpDiag.Wire;

namespace TcpDiag.Traces.StackEvents;

/// <summary>Reads endpoints in the form in which <see cref="Endpoint.ToString"/> writes them, from UTF-8.</summary>
static class EndpointParser
{
    /// <summary>Reads an endpoint.</summary>
    /// <param name="text"><c>10.0.0.1:443</c> or <c>[2001:db8::1]:443</c>.</param>
    /// <param name="endpoint">The endpoint.</param>
    /// <returns>False when the text is none.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out Endpoint endpoint)
    {
        endpoint = default;
        int colon = text.LastIndexOf((byte)':');
        if (colon < 2 || !Utf8Parser.TryParse(text[(colon + 1)..], out ushort port, out int used) || colon + 1 + used != text.Length)
        {
            return false;
        }

        ReadOnlySpan<byte> host = text[..colon];
        bool isIpv6 = host[0] == '[' && host[^1] == ']';
        if (!(isIpv6 ? TryParseIpv6(host[1..^1], out IpAddress address) : TryParseIpv4(host, out address)))
        {
            return false;
        }

        endpoint = new Endpoint(address, port);
        return true;
    }

    static bool TryParseIpv4(ReadOnlySpan<byte> text, out IpAddress address)
    {
        address = default;
        uint bits = 0;
        for (int i = 0; i < 4; i++)
        {
            if (!Utf8Parser.TryParse(text, out byte part, out int used) || (i < 3 && (used == text.Length || text[used] != '.')))
            {
                return false;
            }

            bits = (bits << 8) | part;
            text = text[(i < 3 ? used + 1 : used)..];
        }

        address = IpAddress.FromIpv4(bits);
        return text.IsEmpty;
    }

    static bool TryParseIpv6(ReadOnlySpan<byte> text, out IpAddress address)
    {
        address = default;
        if (text.Contains((byte)'%') || !IPAddress.TryParse(text, out IPAddress? parsed))
        {
            return false;
        }

        Span<byte> bytes = stackalloc byte[16];
        parsed.TryWriteBytes(bytes, out int length);
        address = IpAddress.Read(bytes[..length]);
        return length == 16;
    }
}
