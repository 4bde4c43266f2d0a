using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Names of PktMon's drop reasons and locations (PKTMON_DROP_REASON, PKTMON_DROP_LOCATION of pktmonclntk.h), loaded when
/// first asked for. The table is made by tools/make-pktmon-names.sh.
/// </summary>
public static class PktMonNames
{
    const string Resource = "pktmon-names.tsv";
    const int RenumberedBuild = 17763;

    static readonly Lazy<(Dictionary<uint, string> Reasons, Dictionary<uint, string> Locations)> Names = new(Load);

    /// <summary>A drop in words, e.g. <c>INET_EndpointNotFound at TCPIP_TL_RCV… (1204@0xE0004500)</c>.</summary>
    /// <param name="drop">The drop.</param>
    /// <param name="build">Build of Windows that logged it, or null.</param>
    /// <returns>One line; numbers alone where there is no name.</returns>
    public static string Describe(PacketDrop drop, int? build)
    {
        string reason = ReasonOf(drop.Reason, build) ?? "reason";
        string place = LocationOf(drop.Location) is { } location ? $" at {location}" : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"{reason}{place} ({drop.Reason}@0x{drop.Location:X8})");
    }

    /// <summary>The name of a reason.</summary>
    /// <param name="reason">PKTMON_DROP_REASON.</param>
    /// <param name="build">Build of Windows that logged it, or null: the first build numbered some reasons differently.</param>
    /// <returns>The name, or null.</returns>
    public static string? ReasonOf(uint reason, int? build)
    {
        // Windows: build 17763 has 101-104 for what is 201-204 later, and 201-204 for what is 401-404.
        uint current = (build, reason) switch
        {
            (RenumberedBuild, >= 101 and <= 104) => reason + 100,
            (RenumberedBuild, >= 201 and <= 204) => reason + 200,
            _ => reason,
        };
        return Names.Value.Reasons.GetValueOrDefault(current);
    }

    /// <summary>The name of a location.</summary>
    /// <param name="location">PKTMON_DROP_LOCATION.</param>
    /// <returns>The name, or null.</returns>
    public static string? LocationOf(uint location) => Names.Value.Locations.GetValueOrDefault(location);

    static (Dictionary<uint, string> Reasons, Dictionary<uint, string> Locations) Load()
    {
        var reasons = new Dictionary<uint, string>();
        var locations = new Dictionary<uint, string>();
        using Stream stream = typeof(PktMonNames).Assembly.GetManifestResourceStream(Resource)!;
        using var reader = new StreamReader(stream);
        while (reader.ReadLine() is { } line)
        {
            string[] columns = line.Split('\t');
            bool isReason = columns[0] is "R";
            uint number = uint.Parse(columns[1], isReason ? NumberStyles.None : NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            (isReason ? reasons : locations)[number] = columns[2];
        }

        return (reasons, locations);
    }
}
