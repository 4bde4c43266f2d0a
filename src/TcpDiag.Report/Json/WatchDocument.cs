using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;

namespace TcpDiag.Report.Json;

/// <summary>One line of <c>tcpdiag watch --json</c> (docs/schemas/watch.json): all connections at one time.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="TimeUtc">When they were read.</param>
/// <param name="IntervalSeconds">Time since the line before; null in the first one.</param>
/// <param name="HasEvents">Whether events of the stack tell how long losses were being repaired; else the state at each reading counts for the whole interval.</param>
/// <param name="LeftOut">Connections left out because there were too many.</param>
/// <param name="Connections">The most time lost first.</param>
public sealed record WatchDocument(string Schema, DateTimeOffset TimeUtc, double? IntervalSeconds, bool HasEvents, long LeftOut, IReadOnlyList<WatchedConnectionEntry> Connections)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/watch/1";

    /// <summary>Writes the document as one line.</summary>
    /// <param name="output">Where to.</param>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Write(JsonSerializer.Serialize(this, WatchJsonContext.Default.WatchDocument));
        output.Write('\n');
        output.Flush();
    }
}
