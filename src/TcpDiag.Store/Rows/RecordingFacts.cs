using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Wire;

namespace TcpDiag.Store.Rows;

/// <summary>The system that a recording says it is of.</summary>
/// <param name="Platform">windows, linux; null when unknown.</param>
/// <param name="Build">Build of Windows, or release of the kernel; null when unknown.</param>
/// <param name="Revision">Revision of a build of Windows (UBR); null when unknown.</param>
sealed record RecordedSystem(string? Platform, string? Build, long? Revision)
{
    const string Windows = "Windows";
    const string Linux = "Linux";

    /// <summary>Finds it in what the trace says, then in the bundle.</summary>
    public static RecordedSystem Of(SystemFacts facts, BundleContents? bundle)
    {
        string? text = bundle?.Manifest.OperatingSystem ?? bundle?.Snapshot?.OperatingSystem ?? facts.OperatingSystem;
        string? build = facts.WindowsBuild?.ToString(CultureInfo.InvariantCulture) ?? Fact(bundle, "CurrentBuildNumber");
        if (build is not null || text?.StartsWith(Windows, StringComparison.OrdinalIgnoreCase) == true)
        {
            long? revision = long.TryParse(Fact(bundle, "UBR"), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;
            return new("windows", build ?? BuildIn(text), revision);
        }

        string[] words = text?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        return words is [Linux, ..] ? new("linux", words.ElementAtOrDefault(1), null) : new(null, null, null);
    }

    // Windows build 26100; Windows 10.0.26100.
    static string? BuildIn(string? text) =>
        text?.Split(' ', '.').LastOrDefault(word => word.Length is 5 or 6 && word.All(char.IsAsciiDigit));

    static string? Fact(BundleContents? bundle, string name) => bundle?.Snapshot?.Sections
        .Where(section => section.Name is "system").SelectMany(section => section.Facts).FirstOrDefault(fact => string.Equals(fact.Name, name,
            StringComparison.Ordinal))?.Value;
}

/// <summary>The network adapter that a recording was taken at.</summary>
/// <param name="Name">Its model, or where only that is known its driver.</param>
/// <param name="Driver">Its driver.</param>
/// <param name="DriverVersion">Version of the driver.</param>
sealed record RecordedAdapter(string? Name, string? Driver, string? DriverVersion)
{
    static readonly RecordedAdapter Unknown = new(null, null, null);

    /// <summary>Looks up in the snapshot the interface at which most packets were captured; unknown without a snapshot.</summary>
    public static RecordedAdapter Of(IEnumerable<TraceInterface> interfaces, SystemSnapshot? snapshot)
    {
        if (snapshot is null || interfaces.OrderByDescending(one => one.Packets).FirstOrDefault()?.Name is not { } name)
        {
            return Unknown;
        }

        ILookup<string, string> facts = snapshot.Sections
            .Where(section => section.Name is "adapters" or JudgedSettings.InterfacesSection)
            .SelectMany(section => section.Facts)
            .Where(fact => string.Equals(fact.Subject, name, StringComparison.OrdinalIgnoreCase))
            .ToLookup(fact => fact.Name, fact => fact.Value, StringComparer.Ordinal);
        string? driver = Known(facts, "DriverName") ?? Known(facts, "driver");
        return new(Known(facts, "InterfaceDescription") ?? driver, driver, Known(facts, "DriverVersionString") ?? Known(facts, "driver-version"));
    }

    static string? Known(ILookup<string, string> facts, string name) => facts[name].FirstOrDefault(value => value.Length > 0);
}

/// <summary>What tells the recorded machine from others, learnt from one connection after the other; snapshots do not name it.</summary>
sealed class RecordedMachine
{
    const int MaxAddresses = 1 << 16; // who has more is no machine, but a network

    readonly Dictionary<IpAddress, LocalAddress> _addresses = [];

    /// <summary>Looks at a connection.</summary>
    public void Add(Connection connection)
    {
        if (connection.Vantage is Vantage.Client or Vantage.Server && _addresses.Count <= MaxAddresses)
        {
            IpAddress local = connection.Vantage == Vantage.Client ? connection.Client.Address : connection.Server.Address;
            var one = new LocalAddress(1, connection.Start, connection.FirstPacket);
            _addresses[local] = _addresses.TryGetValue(local, out LocalAddress known) ? known.With(one) : one;
        }
    }

    /// <summary>The MAC address of the interface with most packets; where the trace has none, the address that most connections have at the recorded
    /// end, of several the one with the first of them.</summary>
    /// <returns>The identity, which names somebody; null where nothing tells.</returns>
    public string? Of(IEnumerable<TraceInterface> interfaces)
    {
        TraceInterface? most = interfaces.Where(one => one.MacAddress.Any(part => part != 0)).MaxBy(one => one.Packets);
        return most is not null ? string.Join('-', most.MacAddress.Select(part => part.ToString("x2", CultureInfo.InvariantCulture)))
            : _addresses.Count is 0 or > MaxAddresses ? null
            : _addresses.Aggregate((best, next) => next.Value.IsBefore(best.Value) ? next : best).Key.ToString();
    }

    readonly record struct LocalAddress(int Connections, TraceTime Start, long FirstPacket)
    {
        public LocalAddress With(in LocalAddress other) => (BeginsBefore(other) ? this : other) with { Connections = Connections + other.Connections };

        public bool IsBefore(in LocalAddress other) => Connections != other.Connections ? Connections > other.Connections : BeginsBefore(other);

        bool BeginsBefore(in LocalAddress other) => Start != other.Start ? Start < other.Start : FirstPacket < other.FirstPacket;
    }
}
