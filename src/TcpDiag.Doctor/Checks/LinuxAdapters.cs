using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Checks;

/// <summary>Links and error counters of Linux's interfaces, from /sys/class/net.</summary>
static class LinuxAdapters
{
    public const string Folder = "/sys/class/net";

    // Ethernet loses less than one frame in a thousand million to bit errors (IEEE 802.3: 1e-10 a bit); one in ten thousand is a fault that TCP feels.
    const double ErrorShare = 1e-4;
    const int MinErrors = 10;

    static readonly string[] Errors = ["rx_errors", "tx_errors", "collisions"];

    public static IEnumerable<Check> Check(string folder)
    {
        List<Check> found = [.. Directory.EnumerateDirectories(folder).Order(StringComparer.Ordinal).SelectMany(Judge)];
        return found.Count > 0 ? found : [new(CheckIds.Adapters, CheckResult.Note, "no network interface is up")];
    }

    static IEnumerable<Check> Judge(string folder)
    {
        string name = Path.GetFileName(folder);
        if (name is "lo" || Text(folder, "operstate") is "down" or null)
        {
            yield break;
        }

        Check[] wrong = [.. Duplex(folder, name), .. Counters(folder, name)];
        if (wrong.Length == 0)
        {
            yield return new(CheckIds.Adapters, CheckResult.Fine, Number(folder, "speed") is > 0 and { } megabits
                ? (Message)$"{name} is up, {megabits} Mbit/s, no errors to speak of"
                : $"{name} is up, no errors to speak of");
        }

        foreach (Check check in wrong)
        {
            yield return check;
        }
    }

    static IEnumerable<Check> Duplex(string folder, string name)
    {
        if (Text(folder, "duplex") is "half")
        {
            yield return new(CheckIds.Adapters, CheckResult.Problem, $"{name} is half duplex: it cannot send and receive at the same time")
            {
                Remedy = new(
                    "Has both ends of the cable agree on speed and duplex; the port at the other end must be set to automatic, too.",
                    $"ethtool -s {name} autoneg on", $"ethtool -s {name} autoneg off speed {Text(folder, "speed")} duplex half", Doer.Administrator),
                BearsOn = [FindingIds.PathLoss, FindingIds.TailLoss, FindingIds.RtoStalls],
            };
        }
    }

    static IEnumerable<Check> Counters(string folder, string name)
    {
        double packets = (Number(folder, "statistics/rx_packets") ?? 0) + (Number(folder, "statistics/tx_packets") ?? 0);
        foreach (string counter in Errors)
        {
            if (Number(folder, $"statistics/{counter}") is >= MinErrors and { } count && count > packets * ErrorShare)
            {
                yield return new(CheckIds.Adapters, CheckResult.Problem, $"{name} counts {count} {counter} in {packets:0} packets")
                {
                    Remedy = new("Change cable and port, then see whether the counter still grows.", $"ip -s -s link show {name}", null, Doer.User),
                    BearsOn = [FindingIds.PathLoss, FindingIds.TailLoss, FindingIds.RtoStalls, FindingIds.LostRetransmissions],
                };
            }
        }
    }

    static long? Number(string folder, string file) =>
        long.TryParse(Text(folder, file), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) ? number : null;

    // A link that is down has no speed: reading it is an error.
    static string? Text(string folder, string file)
    {
        try
        {
            return File.ReadAllText(Path.Combine(folder, file)).Trim();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

/// <summary>Tunnels: TUN and TAP devices, WireGuard, PPP.</summary>
static class LinuxTunnels
{
    static readonly string[] Types = ["DEVTYPE=wireguard", "DEVTYPE=ppp"];

    public static IEnumerable<Check> Check(string folder)
    {
        string[] tunnels = [.. Directory.EnumerateDirectories(folder).Where(IsTunnel).Select(path => Path.GetFileName(path)!).Order(StringComparer.Ordinal)];
        return tunnels.Length == 0
            ? [new(CheckIds.Vpn, CheckResult.Fine, "no tunnel (VPN) is up")]
            : tunnels.Select(name => new Check(CheckIds.Vpn, CheckResult.Note, $"{name} is a tunnel (VPN, or a virtual machine's link)")
            {
                Remedy = new("Compare without it: a tunnel takes room in each packet, and its far end may be a detour.", $"ip link set {name} down",
                    $"ip link set {name} up", Doer.Administrator),
                BearsOn = [FindingIds.MtuBlackHole, FindingIds.MssClamped, FindingIds.PathReordering],
            });
    }

    static bool IsTunnel(string folder)
    {
        try
        {
            return !string.Equals(File.ReadAllText(Path.Combine(folder, "operstate")).Trim(), "down", StringComparison.Ordinal)
                && (File.Exists(Path.Combine(folder, "tun_flags"))
                    || File.ReadLines(Path.Combine(folder, "uevent")).Any(line => Types.Contains(line, StringComparer.Ordinal)));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has just gone.
            return false;
        }
    }
}

/// <summary>Wireless links, from /proc/net/wireless: a line for each, behind two of heads. Links of newer drivers are not in it.</summary>
static class LinuxWifi
{
    public const string File = "/proc/net/wireless";

    const int Heads = 2;
    const int LevelColumn = 3; // after name, status and link quality

    /// <summary>Judges their signals.</summary>
    /// <param name="file">The file.</param>
    /// <param name="stations">Where the others are found.</param>
    public static IEnumerable<Check> Check(string file, Func<IReadOnlyList<Station>> stations)
    {
        string[] lines = System.IO.File.Exists(file) ? [.. System.IO.File.ReadLines(file).Skip(Heads)] : [];
        Check[] found = lines.Length == 0 ? [.. LinuxStations.Signals(stations())] : [.. lines.Select(Judge)];
        return found.Length == 0 ? [new(CheckIds.Wifi, CheckResult.Fine, "no wireless link is in use")] : found;
    }

    static Check Judge(string line)
    {
        string[] words = line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        string name = words[0].TrimEnd(':');
        return words.Length > LevelColumn && double.TryParse(words[LevelColumn].TrimEnd('.'), CultureInfo.InvariantCulture, out double level) && level < 0
            ? WifiSignal.Judge(name, level, "dBm")
            : new(CheckIds.Wifi, CheckResult.Unknown, $"{name}: its driver does not tell the signal");
    }
}

/// <summary>Judges the signal of a wireless link.</summary>
static class WifiSignal
{
    // Below -67 dBm access points and stations fall back to slow rates and repeat much; below -80 links break. Windows shows 2 × (dBm + 100) as percent.
    const double Weak = -67;
    const double Bad = -80;

    public static Check Judge(string name, double dbm, string unit)
    {
        string level = unit is "%" ? string.Create(CultureInfo.InvariantCulture, $"{2 * (dbm + 100):0} %")
            : string.Create(CultureInfo.InvariantCulture, $"{dbm:0} dBm");
        CheckResult result = dbm < Bad ? CheckResult.Problem : dbm < Weak ? CheckResult.Note : CheckResult.Fine;
        return new(CheckIds.Wifi, result, result is CheckResult.Fine ? (Message)$"{name}: signal {level}" : $"{name}: signal {level}, which is weak")
        {
            Remedy = result is CheckResult.Fine ? null : new("Go nearer to the access point, or use a cable, and compare.", null, null, Doer.User),
            BearsOn = [FindingIds.PathLoss, FindingIds.Bufferbloat, FindingIds.RtoStalls, FindingIds.TailLoss, FindingIds.LostRetransmissions,
                FindingIds.SlowStartLeftEarly, FindingIds.SpuriousRetransmissions],
        };
    }
}
