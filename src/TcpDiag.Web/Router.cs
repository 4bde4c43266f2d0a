using System;
using System.Collections.Generic;
using System.Linq;
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
