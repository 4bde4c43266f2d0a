using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Report.Json;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Report.Builds;

/// <summary>What changed from one build of Windows to a later one, by what is documented and by the events that each declares.</summary>
/// <param name="From">The earlier build.</param>
/// <param name="To">The later build.</param>
/// <param name="Traits">Traits of TCP in which they differ.</param>
/// <param name="Events">Events of TCP/IP that appeared, vanished or changed; null where the events of one of them are not known.</param>
public sealed record BuildStep(int From, int To, IReadOnlyList<TraitChange> Traits, EventsDiffDocument? Events)
{
    const string Provider = "Microsoft-Windows-TCPIP";

    /// <summary>The command that shows the events one by one.</summary>
    public string Command => FormattableString.Invariant($"tcpdiag events diff {From} {To}");

    /// <summary>Those of the two whose events are not known.</summary>
    public IEnumerable<int> Unlisted => ((int[])[From, To]).Where(build => SchemaCatalog.Bundled.IndexOfBuild(build) < 0);

    /// <summary>The steps between builds, from the earliest to the latest.</summary>
    /// <param name="builds">Names of builds; what is no number, as a release of Linux, is left out.</param>
    public static IReadOnlyList<BuildStep> Of(IEnumerable<string> builds)
    {
        int[] numbers = [.. builds.Select(NumberOf).OfType<int>().Distinct().Order()];
        return [.. numbers.Zip(numbers.Skip(1), Between)];
    }

    /// <summary>What changed between two builds.</summary>
    /// <param name="from">The earlier build.</param>
    /// <param name="to">The later build.</param>
    public static BuildStep Between(int from, int to)
    {
        SchemaCatalog catalog = SchemaCatalog.Bundled;
        bool areKnown = catalog.IndexOfBuild(from) >= 0 && catalog.IndexOfBuild(to) >= 0;
        return new(from, to, BuildTraits.Between(from, to), areKnown ? new EventCatalogQuery(catalog).Diff(from, to, Provider) : null);
    }

    /// <summary>Reads the name of a build.</summary>
    /// <returns>Null where it is none of Windows.</returns>
    public static int? NumberOf(string build) =>
        int.TryParse(build, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number is >= 1000 and < 1_000_000 ? number : null;
}
