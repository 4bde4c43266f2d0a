using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Impairment.Cross;

/// <summary>What became of one flow of cross traffic.</summary>
/// <param name="Name">What it is: <c>cubic</c>, <c>reno</c> or <c>cbr</c>.</param>
/// <param name="DeliveredBytes">Bytes of its packets that left the link.</param>
/// <param name="DroppedPackets">Packets of it that were dropped.</param>
public readonly record struct CrossReport(string Name, long DeliveredBytes, long DroppedPackets)
{
    const double BitsPerByte = 8;
    const double NanosPerMicrosecond = 1000;

    /// <summary>Says what became of the flows of one direction.</summary>
    /// <param name="direction">The direction.</param>
    /// <param name="reports">The flows, at least one.</param>
    /// <param name="elapsedNanos">How long the run has lasted, ns.</param>
    /// <returns>A sentence.</returns>
    public static string Describe(LinkDirection direction, IReadOnlyList<CrossReport> reports, long elapsedNanos)
    {
        double microseconds = Math.Max(1, elapsedNanos / NanosPerMicrosecond);
        IEnumerable<string> rates = reports.Select(
            report => string.Create(CultureInfo.InvariantCulture, $"{report.Name} {report.DeliveredBytes * BitsPerByte / microseconds:0.00} Mbit/s"));
        string way = direction == LinkDirection.Out ? "out" : "in";
        long dropped = reports.Sum(report => report.DroppedPackets);
        return string.Create(CultureInfo.InvariantCulture, $"Cross traffic {way}: {string.Join(", ", rates)}; {dropped} of its packets dropped.");
    }
}
