using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using Microsoft.AspNetCore.Http;

namespace TcpDiag.Web;

/// <summary>
/// Whom a request names as its server. A page of somebody else's that has its own name resolved to our address (DNS rebinding) names itself: names are those
/// that the user gave, and addresses that one at which the request came in.
/// </summary>
/// <param name="names">Names that the user gave.</param>
sealed class HostCheck(IReadOnlyList<string> names)
{
    /// <summary>Whether a request is meant for us.</summary>
    public bool IsOurs(HttpContext context)
    {
        HostString host = context.Request.Host;
        if (!host.HasValue || (host.Port ?? 80) != context.Connection.LocalPort && !IsNamed(host.Host))
        {
            return false;
        }

        return IsNamed(host.Host)
            || (host.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase) && context.Connection.LocalIpAddress is { } local
            && IPAddress.IsLoopback(Plain(local)))
            || (IPAddress.TryParse(host.Host.Trim('[', ']'), out IPAddress? address) && context.Connection.LocalIpAddress is { } own
            && Plain(address).Equals(Plain(own)));
    }

    // Behind a program that adds TLS the port is another one.
    bool IsNamed(string host) => names.Contains(host, StringComparer.OrdinalIgnoreCase);

    static IPAddress Plain(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
}
