using System;
using System.Linq;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// Leaves advice out that is for another system than an end has: a step that begins with <c>Windows client:</c> is of no use where the client runs Linux, nor one that begins with <c>Windows:</c> where both ends do.
/// </summary>
static class SystemAdvice
{
    /// <summary>Leaves out what is for other systems.</summary>
    /// <param name="text">The words of a finding.</param>
    /// <param name="connection">Its connection.</param>
    /// <returns>The words; all of them where the systems of both ends are unknown.</returns>
    public static FindingText For(FindingText text, Connection connection) =>
        IsKnown(connection) ? text with { Advice = [.. text.Advice.Where(step => IsOfUse(step, connection))] } : text;

    /// <summary>Leaves out what is for other systems, once somebody reads the words.</summary>
    /// <param name="text">Finds the words of a finding.</param>
    /// <param name="connection">Its connection, of which all is known that the trace tells.</param>
    /// <returns>Finds the words that are left.</returns>
    public static Func<FindingText> For(Func<FindingText> text, Connection connection) => IsKnown(connection) ? Later(text, connection) : text;

    // By itself: for a connection of unknown systems nothing is allocated.
    static Func<FindingText> Later(Func<FindingText> text, Connection connection) => () => For(text(), connection);

    static bool IsKnown(Connection connection) => connection.ClientSystem != EndSystem.Unknown || connection.ServerSystem != EndSystem.Unknown;

    static bool IsOfUse(string step, Connection connection)
    {
        bool isSame = connection.ClientSystem == connection.ServerSystem;
        return !IsForAnother(step, " client: ", connection.ClientSystem)
            && !IsForAnother(step, " server: ", connection.ServerSystem)
            && !IsForAnother(step, ": ", isSame ? connection.ClientSystem : EndSystem.Unknown);
    }

    static bool IsForAnother(string step, string end, EndSystem system) =>
        (system is EndSystem.Linux && step.StartsWith($"{EndSystem.Windows}{end}", StringComparison.Ordinal))
        || (system is EndSystem.Windows && step.StartsWith($"{EndSystem.Linux}{end}", StringComparison.Ordinal));
}
