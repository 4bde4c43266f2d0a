using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>The tables of docs/limits.md name every state of the code, and each transition names tests that exist.</summary>
public sealed class TransitionTableTests
{
    static readonly string Page = File.ReadAllText(ProjectFolder.PathOf("docs", "limits.md"));

    static readonly ILookup<string, MethodInfo> Tests = typeof(TransitionTableTests).Assembly.GetTypes()
        .SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
        .Where(method => method.GetCustomAttributes<FactAttribute>().Any())
        .ToLookup(method => method.DeclaringType!.Name, StringComparer.Ordinal);

    [Fact]
    public void States_OfTheCode_AreThoseOfTheTable()
    {
        string[] states = [.. Enum.GetNames<LimitState>().Select(Spaced).Order(StringComparer.Ordinal)];
        Assert.Equal(states, Rows("| state | from packets |").Select(cells => cells[0].Split('(')[0].Trim()).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void States_ThatAreJudged_AreReachedByATransition()
    {
        string targets = string.Join(' ', Rows("| from | when | to | tested by |").Select(cells => cells[2]));
        IEnumerable<LimitState> judged = Enum.GetValues<LimitState>().Where(state => state != LimitState.NotJudged);
        Assert.All(judged, state => Assert.Contains(Spaced(state.ToString()), targets, StringComparison.Ordinal));
    }

    [Fact]
    public void Transitions_NameTestsThatExist()
    {
        string[] named = [.. Rows("| from | when | to | tested by |").SelectMany(cells => cells[3].Split([',', ';'], StringSplitOptions.TrimEntries))];
        Assert.True(named.Length > 30);
        Assert.All(named, name => Assert.True(IsThere(name), $"{name} is no test"));
    }

    // A class of tests, a test of one, or a test of LimitStateTests, by the beginning of its name.
    static bool IsThere(string name)
    {
        string[] parts = name.Split('.');
        return Tests.Contains(name) || (parts.Length == 2 ? HasTest(parts[0], parts[1]) : HasTest(nameof(LimitStateTests), name));
    }

    static bool HasTest(string type, string beginning) =>
        Tests[type].Any(method => string.Equals(method.Name, beginning, StringComparison.Ordinal)
            || method.Name.StartsWith($"{beginning}_", StringComparison.Ordinal));

    static IEnumerable<string[]> Rows(string header) => Page[Page.IndexOf(header, StringComparison.Ordinal)..]
        .Split('\n').Skip(2).TakeWhile(line => line.StartsWith('|'))
        .Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries));

    static string Spaced(string name) =>
        string.Concat(name.Select((letter, i) => char.IsUpper(letter) && i > 0 ? $" {letter}" : $"{letter}")).ToLowerInvariant();
}
