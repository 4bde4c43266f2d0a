using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>
/// Network interfaces: link, driver, rings, interrupt moderation, queues, offloads, private flags and the driver's own counters; among
/// these the Flow Director of Intel adapters (<c>flow-director-atr</c>, <c>fdir_*</c>), which can reorder packets.
/// </summary>
static class InterfaceFacts
{
    const int MaxInterfaces = 64;
    const int SetStatistics = 1;
    const int SetPrivateFlags = 2;
    const int SetFeatures = 4;
    const uint GetDriver = 0x03;
    const uint GetCoalesce = 0x0E;
    const uint GetRings = 0x10;
    const uint GetStatistics = 0x1D;
    const uint GetPrivateFlags = 0x27;
    const uint GetFeatures = 0x3A;
    const uint GetChannels = 0x3C;

    // Words of a feature block: available, requested, active, never changed.
    const int FeatureBlockBytes = 16;
    const int ActiveWord = 8;
    const int NeverChangedWord = 12;

    static readonly string[] Link = ["operstate", "speed", "duplex", "mtu", "tx_queue_len", "gro_flush_timeout", "napi_defer_hard_irqs", "threaded"];

    // Words of struct ethtool_ringparam, ethtool_channels and ethtool_coalesce behind the command that matter; the others are unnamed.
    static readonly string[] Rings = ["rx-max", "", "", "tx-max", "rx", "", "", "tx"];
    static readonly string[] Channels = ["", "", "", "max-combined", "rx-queues", "tx-queues", "", "combined"];
    static readonly string[] Coalesce = ["rx-usecs", "rx-frames", "", "", "tx-usecs", "tx-frames", "", "", "", "adaptive-rx", "adaptive-tx"];
    const int CoalesceBytes = 92;

    public static IEnumerable<SnapshotFact> Read() => InterfaceNames.Read().All.Order(StringComparer.Ordinal).Take(MaxInterfaces).SelectMany(Read);

    static List<SnapshotFact> Read(string name)
    {
        var facts = new List<SnapshotFact>();
        foreach (string file in Link)
        {
            AddFile(facts, name, file);
        }

        using var ethtool = new Ethtool(name);
        AddDriver(facts, ethtool, name);
        AddWords(facts, ethtool, name, GetRings, Rings, 36);
        AddWords(facts, ethtool, name, GetChannels, Channels, 36);
        AddWords(facts, ethtool, name, GetCoalesce, Coalesce, CoalesceBytes);
        AddFeatures(facts, ethtool, name);
        AddPrivateFlags(facts, ethtool, name);
        AddStatistics(facts, ethtool, name);
        return facts;
    }

    // A link that is down has no speed: reading it is an error.
    static void AddFile(List<SnapshotFact> facts, string name, string file)
    {
        try
        {
            facts.Add(new(name, file, File.ReadAllText($"/sys/class/net/{name}/{file}").Trim()));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Left out of the snapshot.
        }
    }

    // struct ethtool_drvinfo: driver, version, firmware and bus, 32 bytes each.
    static void AddDriver(List<SnapshotFact> facts, Ethtool ethtool, string name)
    {
        byte[] answer = new byte[196];
        if (!ethtool.TryAsk(GetDriver, answer))
        {
            return;
        }

        string[] names = ["driver", "driver-version", "firmware", "bus"];
        for (int i = 0; i < names.Length; i++)
        {
            facts.Add(new(name, names[i], Ethtool.Text(answer.AsSpan(4 + (i * 32), 32))));
        }
    }

    static void AddWords(List<SnapshotFact> facts, Ethtool ethtool, string name, uint command, string[] words, int length)
    {
        byte[] answer = new byte[length];
        if (!ethtool.TryAsk(command, answer))
        {
            return;
        }

        for (int i = 0; i < words.Length; i++)
        {
            if (words[i].Length > 0)
            {
                facts.Add(new(name, words[i], Number(BinaryPrimitives.ReadUInt32LittleEndian(answer.AsSpan((i + 1) * 4)))));
            }
        }
    }

    static void AddFeatures(List<SnapshotFact> facts, Ethtool ethtool, string name)
    {
        string[] features = ethtool.Strings(SetFeatures);
        int blocks = (features.Length + 31) / 32;
        byte[] answer = new byte[8 + (blocks * FeatureBlockBytes)];
        BinaryPrimitives.WriteInt32LittleEndian(answer.AsSpan(4), blocks);
        if (blocks == 0 || !ethtool.TryAsk(GetFeatures, answer))
        {
            return;
        }

        for (int i = 0; i < features.Length; i++)
        {
            ReadOnlySpan<byte> block = answer.AsSpan(8 + (i / 32 * FeatureBlockBytes), FeatureBlockBytes);
            uint active = BinaryPrimitives.ReadUInt32LittleEndian(block[ActiveWord..]);
            uint changeable = BinaryPrimitives.ReadUInt32LittleEndian(block) & ~BinaryPrimitives.ReadUInt32LittleEndian(block[NeverChangedWord..]);
            AddSwitch(facts, name, features[i], active, i % 32, (changeable & (1u << (i % 32))) == 0 ? " [fixed]" : string.Empty);
        }
    }

    static void AddPrivateFlags(List<SnapshotFact> facts, Ethtool ethtool, string name)
    {
        string[] flags = ethtool.Strings(SetPrivateFlags);
        byte[] answer = new byte[8];
        for (int i = 0; i < Math.Min(flags.Length, 32) && ethtool.TryAsk(GetPrivateFlags, answer); i++)
        {
            AddSwitch(facts, name, flags[i], BinaryPrimitives.ReadUInt32LittleEndian(answer.AsSpan(4)), i);
        }
    }

    static void AddStatistics(List<SnapshotFact> facts, Ethtool ethtool, string name)
    {
        string[] counters = ethtool.Strings(SetStatistics);
        byte[] answer = new byte[8 + (counters.Length * 8)];
        BinaryPrimitives.WriteInt32LittleEndian(answer.AsSpan(4), counters.Length);
        if (counters.Length == 0 || !ethtool.TryAsk(GetStatistics, answer))
        {
            return;
        }

        for (int i = 0; i < counters.Length; i++)
        {
            facts.Add(new(name, "stat:" + counters[i],
                BinaryPrimitives.ReadUInt64LittleEndian(answer.AsSpan(8 + (i * 8))).ToString(CultureInfo.InvariantCulture)));
        }
    }

    static void AddSwitch(List<SnapshotFact> facts, string name, string what, uint word, int bit, string mark = "")
    {
        if (what.Length > 0)
        {
            facts.Add(new(name, what, ((word & (1u << bit)) != 0 ? "on" : "off") + mark));
        }
    }

    static string Number(uint value) => value.ToString(CultureInfo.InvariantCulture);
}

/// <summary>Names of interfaces by their numbers, from /sys/class/net.</summary>
sealed class InterfaceNames
{
    readonly Dictionary<int, string> _names = [];

    public IEnumerable<string> All => _names.Values;

    public static InterfaceNames Read()
    {
        var names = new InterfaceNames();
        foreach (string folder in Directory.EnumerateDirectories("/sys/class/net"))
        {
            if (File.Exists($"{folder}/ifindex")
                && int.TryParse(File.ReadAllText($"{folder}/ifindex"), NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out int index))
            {
                names._names[index] = Path.GetFileName(folder);
            }
        }

        return names;
    }

    /// <summary>A name.</summary>
    /// <returns>Its name, or the number when it has none.</returns>
    public string Of(int index) => _names.GetValueOrDefault(index) ?? index.ToString(CultureInfo.InvariantCulture);
}
