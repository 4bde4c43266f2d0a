using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Report.Builds;

/// <summary>What is documented of a build of Windows.</summary>
/// <param name="Number">The build.</param>
/// <param name="System">The system, e.g. <c>Windows 11 24H2</c>; null where its events are not known.</param>
/// <param name="Traits">Traits of its TCP; none where nothing is known.</param>
/// <param name="Events">Events of TCP/IP that it declares, each with its latest version; null where they are not known.</param>
/// <param name="Shown">What its events show, in words.</param>
public sealed record DocumentedBuild(int Number, string? System, IReadOnlyList<BuildTrait> Traits, int? Events, IReadOnlyList<string> Shown)
{
    const string Provider = "Microsoft-Windows-TCPIP";

    // By the identifiers of the events; docs/formats/stack-events.md has what each tells.
    static readonly (int Id, string What)[] Telling =
    [
        (1332, "cwnd"), (1351, "retransmissions"), (1385, "tail loss probes"), (1387, "RACK"), (1429, "CUBIC"), (1475, "HyStart"), (1477, "limits"),
        (1481, "PRR"),
        (1548, "SACK and DSACK"), (1577, "reordering window"), (1626, "limiting factor"), (1637, "limits of each send"),
    ];

    /// <summary>The builds whose events are known, earliest first.</summary>
    public static IEnumerable<DocumentedBuild> Known => SchemaCatalog.Bundled.Builds.Select(build => Of(build.Number));

    /// <summary>What is documented of a build.</summary>
    /// <param name="number">The build.</param>
    public static DocumentedBuild Of(int number)
    {
        SchemaCatalog catalog = SchemaCatalog.Bundled;
        int index = catalog.IndexOfBuild(number);
        if (index < 0)
        {
            return new(number, null, BuildTraits.Of(number), null, []);
        }

        HashSet<int> ids = [.. catalog.Providers.Where(provider => provider.Name is Provider).SelectMany(provider => provider.Variants)
            .Where(variant => variant.IsIn(index)).Select(variant => variant.Id)];
        return new(number, catalog.Builds[index].Label, BuildTraits.Of(number), ids.Count,
            [.. Telling.Where(one => ids.Contains(one.Id)).Select(one => one.What)]);
    }
}
