using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

namespace TcpDiag.Web;

/// <summary>Finds the route of a path, segment by segment.</summary>
/// <param name="routes">The routes.</param>
sealed class Router(IReadOnlyList<Route> routes)
{
    readonly (Route Route, string[] Segments)[] _routes = [.. routes.Select(route => (route, route.Pattern.Split('/')))];

    /// <summary>Finds the route of a request, and notes in it what stands in the place of names in braces.</summary>
    /// <returns>Null where there is none.</returns>
    public Route? Find(HttpRequest request)
    {
        string[] path = (request.Path.Value ?? string.Empty).Split('/');
        foreach ((Route route, string[] segments) in _routes)
        {
            if (segments.Length == path.Length
                && segments.Zip(path).All(pair => IsVariable(pair.First) || string.Equals(pair.First, pair.Second, StringComparison.Ordinal)))
            {
                Note(request, segments, path);
                return route;
            }
        }

        return null;
    }

    static void Note(HttpRequest request, string[] segments, string[] path)
    {
        for (int i = 0; i < segments.Length; i++)
        {
            if (IsVariable(segments[i]))
            {
                request.RouteValues[segments[i][1..^1]] = path[i];
            }
        }
    }

    static bool IsVariable(string segment) => segment.StartsWith('{');
}

/// <summary>A page or document: one line maps it and documents it.</summary>
/// <param name="Pattern">Its path, with what varies in braces.</param>
/// <param name="Summary">What it is, in a sentence without its full stop.</param>
/// <param name="ContentType">The type of its body.</param>
/// <param name="Answer">Makes the answer.</param>
sealed record Route(string Pattern, string Summary, string ContentType, Func<HttpContext, Task<Answer>> Answer)
{
    /// <summary>What may stand in its query.</summary>
    public IReadOnlyList<Parameter> Query { get; init; } = [];

    /// <summary>Name of the schema of its document (docs/schemas); null for a page or a text.</summary>
    public string? Schema { get; init; }

    /// <summary>Whether it is answered without the token.</summary>
    public bool IsOpen { get; init; }
}

/// <summary>Something that an address may ask.</summary>
/// <param name="Name">Its name.</param>
/// <param name="About">What it is.</param>
/// <param name="IsNumber">Whether it is a whole number; else a text.</param>
/// <param name="IsRequired">Whether it must be there.</param>
sealed record Parameter(string Name, string About, bool IsNumber = false, bool IsRequired = false);
