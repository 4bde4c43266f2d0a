using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Threading.RateLimiting;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Extensions;

namespace TcpDiag.Web;

/// <summary>
/// What every request passes before anything is done for it: read-only methods, a server that is ours, a rate, and the token. A token in an address is taken
/// once and becomes a cookie that scripts do not see and other sites cannot have sent.
/// </summary>
sealed class Gate : IDisposable
{
    const string TokenName = "token";
    const string Bearer = "Bearer ";

    // A wrong token costs as much as so many requests.
    const int WrongTokenCost = 10;

    readonly ServeOptions _options;
    readonly ServeCounters _counters;
    readonly HostCheck _hosts;
    readonly PartitionedRateLimiter<IPAddress> _rate;

    public Gate(ServeOptions options, ServeCounters counters)
    {
        _options = options;
        _counters = counters;
        _hosts = new HostCheck(options.HostNames);
        _rate = PartitionedRateLimiter.Create<IPAddress, IPAddress>(address => RateLimitPartition.GetTokenBucketLimiter(address, _ => new()
        {
            TokenLimit = options.Limits.Burst,
            TokensPerPeriod = options.Limits.RequestsPerSecond,
            ReplenishmentPeriod = TimeSpan.FromSeconds(1),
            QueueLimit = 0,
        }));
    }

    /// <summary>Lets a request pass, or answers it.</summary>
    public async Task Pass(HttpContext context, RequestDelegate next)
    {
        try
        {
            await (Refuse(context) is { } refusal ? refusal.Send(context) : next(context));
        }
        finally
        {
            _counters.Answered(context.Response.StatusCode);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _rate.Dispose();

    Answer? Refuse(HttpContext context)
    {
        HttpRequest request = context.Request;
        bool isProgram = IsProgram(request);
        if (!HttpMethods.IsGet(request.Method) && !HttpMethods.IsHead(request.Method))
        {
            context.Response.Headers.Allow = "GET, HEAD";
            return Refused("method", StatusCodes.Status405MethodNotAllowed, isProgram, "Read only",
                "Nothing can be changed here: GET and HEAD are answered, nothing else.");
        }

        if (!_hosts.IsOurs(context))
        {
            return Refused("host", StatusCodes.Status421MisdirectedRequest, isProgram, "Not this server",
                "The request names another server. Ask for it by its address; tcpdiag serve --host NAME adds a name.");
        }

        if (!IsWithinRate(context))
        {
            context.Response.Headers.RetryAfter = "1";
            return Refused("rate", StatusCodes.Status429TooManyRequests, isProgram, "Too many requests", "Wait a second and ask again.");
        }

        return request.Path == "/healthz" ? null : RefuseStranger(context, isProgram);
    }

    Answer? RefuseStranger(HttpContext context, bool isProgram)
    {
        HttpRequest request = context.Request;
        if (request.Query[TokenName].ToString() is { Length: > 0 } given && _options.Token.Is(given))
        {
            return Welcome(context);
        }

        if (_options.Token.Is(request.Cookies[CookieName(context)]) || _options.Token.Is(BearerOf(request)))
        {
            return null;
        }

        bool hasGiven = request.Query.ContainsKey(TokenName) || request.Headers.Authorization.Count > 0;
        if (hasGiven)
        {
            for (int i = 0; i < WrongTokenCost; i++)
            {
                IsWithinRate(context);
            }
        }

        context.Response.Headers.WWWAuthenticate = "Bearer";
        return Refused("token", StatusCodes.Status401Unauthorized, isProgram, hasGiven ? "Wrong token" : "A token is needed",
            "Open the address that tcpdiag serve printed when it started: the token is in it. If you have done that before, and followed a link from "
                + "elsewhere, load the page again.");
    }

    // The address without the token goes into the history, not the one with it.
    Answer Welcome(HttpContext context)
    {
        HttpRequest request = context.Request;
        context.Response.Cookies.Append(
            CookieName(context), _options.Token.Text, new() { HttpOnly = true, SameSite = SameSiteMode.Strict, Path = "/", IsEssential = true });
        var query = new QueryBuilder();
        foreach ((string name, Microsoft.Extensions.Primitives.StringValues values) in request.Query)
        {
            if (name is not TokenName)
            {
                query.Add(name, (System.Collections.Generic.IEnumerable<string>)values!);
            }
        }

        // One slash: //host would lead to another server.
        context.Response.Headers.Location = "/" + request.Path.ToUriComponent().TrimStart('/') + query.ToQueryString();
        return new(StatusCodes.Status303SeeOther, "text/plain; charset=utf-8", default);
    }

    bool IsWithinRate(HttpContext context)
    {
        using RateLimitLease lease = _rate.AttemptAcquire(context.Connection.RemoteIpAddress ?? IPAddress.None);
        return lease.IsAcquired;
    }

    Answer Refused(string reason, int status, bool isProgram, string title, string text)
    {
        _counters.Refused(reason);
        return Answer.Refusal(status, isProgram, title, text);
    }

    // Cookies know no ports: two servers on one machine would take each other's.
    static string CookieName(HttpContext context) => string.Create(CultureInfo.InvariantCulture, $"tcpdiag-{context.Connection.LocalPort}");

    static string? BearerOf(HttpRequest request) =>
        request.Headers.Authorization.ToString() is { } header && header.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase) ? header[Bearer.Length..].Trim()
            : null;

    /// <summary>Whether a program asks, which does not read pages.</summary>
    public static bool IsProgram(HttpRequest request) =>
        request.Path.StartsWithSegments("/api", StringComparison.Ordinal) || request.Path == "/openapi.json" || request.Path == "/metrics";
}

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
