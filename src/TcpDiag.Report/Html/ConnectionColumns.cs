using System.Collections.Generic;

namespace TcpDiag.Report.Html;

/// <summary>The table of connections as the page's script reads it, a column each; null where a value is not known.</summary>
/// <param name="First">Index of the connection whose graphs open first; −1 when there are none.</param>
/// <param name="Client">Client endpoints.</param>
/// <param name="Server">Server endpoints.</param>
/// <param name="Name">Names by which servers were looked up.</param>
/// <param name="Process">Processes.</param>
/// <param name="Start">First packet or event, seconds from the start of the trace.</param>
/// <param name="Duration">From it to the last, seconds.</param>
/// <param name="End">How they ended.</param>
/// <param name="Up">Payload from the client, bytes.</param>
/// <param name="Down">Payload from the server, bytes.</param>
/// <param name="Goodput">Goodput of the direction with more payload, bits per second.</param>
/// <param name="Rtt">Smallest RTT of the end that is farther away, seconds.</param>
/// <param name="Resent">Wire segments sent again.</param>
/// <param name="Limit">What limited the direction with more payload most of the time.</param>
/// <param name="Lost">Seconds lost by its findings.</param>
/// <param name="Findings">Ids of its findings.</param>
/// <param name="Charted">1 where there are graphs, else 0.</param>
sealed record ConnectionColumns(
    int First,
    IReadOnlyList<string> Client,
    IReadOnlyList<string> Server,
    IReadOnlyList<string?> Name,
    IReadOnlyList<string?> Process,
    IReadOnlyList<double> Start,
    IReadOnlyList<double> Duration,
    IReadOnlyList<string> End,
    IReadOnlyList<long?> Up,
    IReadOnlyList<long?> Down,
    IReadOnlyList<double?> Goodput,
    IReadOnlyList<double?> Rtt,
    IReadOnlyList<long?> Resent,
    IReadOnlyList<string?> Limit,
    IReadOnlyList<double> Lost,
    IReadOnlyList<IReadOnlyList<string>> Findings,
    IReadOnlyList<int> Charted);
