using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Checks;

/// <summary>Proxies that programs are told of by variables.</summary>
static class ProxyVariables
{
    static readonly string[] Names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

    public static IEnumerable<Check> Check(Func<string, string?> read)
    {
        bool isAny = false;
        foreach (string name in Names)
        {
            if (read(name) is { Length: > 0 } value)
            {
                isAny = true;
                yield return ProxyFound.Of($"{name}={WithoutPassword(value)}");
            }
        }

        if (!isAny)
        {
            yield return new(CheckIds.Proxy, CheckResult.Fine, "no proxy is set");
        }
    }

    // user:password@host
    static string WithoutPassword(string value) => value.LastIndexOf('@') is >= 0 and var at ? $"…{value[at..]}" : value;
}

/// <summary>What is said of a proxy.</summary>
static class ProxyFound
{
    public static Check Of(string setting) => new(CheckIds.Proxy, CheckResult.Note, $"programs are told to use a proxy: {setting}")
    {
        Remedy = new("Compare without it, where that is allowed: what is slow may be the proxy, or lie behind it.", null, null, Doer.Network),
        BearsOn = [FindingIds.SplitConnection, FindingIds.SlowAnswers],
    };
}
