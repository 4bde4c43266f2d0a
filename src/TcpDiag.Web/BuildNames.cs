using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Report.Builds;
using TcpDiag.Store;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Web;

/// <summary>The builds that can be compared.</summary>
static class BuildNames
{
    /// <summary>Those of the store, whenever it was, and those of Windows that something is documented of; numbers first.</summary>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    public static IReadOnlyList<string> Of(IResultStore store)
    {
        StoreTable table = StoreSchema.Recordings;
        IEnumerable<string> recorded = store.Aggregate(new AggregateQuery(table, [new(table.Require("build"), [])], [], StoreFilter.All))
            .Select(row => row[0].Text).OfType<string>();
        return
        [
            .. recorded.Concat(DocumentedBuild.Known.Select(build => FormattableString.Invariant($"{build.Number}"))).Distinct(StringComparer.Ordinal)
                .OrderBy(name => BuildStep.NumberOf(name) ?? int.MaxValue).ThenBy(name => name, StringComparer.Ordinal),
        ];
    }
}
