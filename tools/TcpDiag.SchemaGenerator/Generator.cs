using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.SchemaGenerator;

/// <summary>Reads the event lists of all builds and the manifests, and makes the resource out of them.</summary>
static class Generator
{
    /// <summary>Makes the resource. The same input gives the same bytes.</summary>
    public static byte[] Generate(string sharedFolder)
    {
        BuildFolder[] builds = BuildFolder.FindAll(Path.Combine(sharedFolder, "etw", "builds"));
        Dictionary<string, Manifest> manifests = Manifest.ReadAll(Path.Combine(sharedFolder, "etw", "manifests"));
        var maps = new MapRules(manifests, PktMonMaps.Read(Path.Combine(sharedFolder, "design", "pktmon-enums.tsv")));
        var writer = new ResourceWriter();
        foreach (BuildFolder build in builds)
        {
            writer.AddBuild(build.Number, build.Label);
        }

        foreach (ProviderFacts facts in ProviderFacts.All)
        {
            Manifest manifest = manifests.GetValueOrDefault(facts.Name) ?? Manifest.Empty;
            var fields = new FieldRules(facts.Name, manifest, maps);
            writer.AddProvider(facts, facts.KeywordsWith(manifest), ReadVariants(facts.Name, builds, fields));
        }

        return writer.ToResource();
    }

    // The same event with the same layout on several builds is one variant.
    static List<Variant> ReadVariants(string provider, BuildFolder[] builds, FieldRules rules)
    {
        var variants = new Dictionary<string, Variant>(StringComparer.Ordinal);
        for (int i = 0; i < builds.Length; i++)
        {
            foreach (EventRow row in EventRow.ReadAll(builds[i].FileOf(provider)))
            {
                // Builds that number the values of a field differently do not share a variant.
                FieldSchema[] fields = rules.FieldsOf(row, builds[i].Number);
                string key = row.Identity + '|' + string.Join(',', fields.Select(field => field.Map?.Name));
                if (!variants.TryGetValue(key, out Variant? variant))
                {
                    variant = new Variant(row, fields);
                    variants.Add(key, variant);
                }

                variant.BuildMask |= 1u << i;
            }
        }

        return [.. variants.Values
            .OrderBy(variant => variant.Row.Id)
            .ThenBy(variant => variant.Row.Version)
            .ThenBy(variant => System.Numerics.BitOperations.TrailingZeroCount(variant.BuildMask))];
    }
}

/// <summary>What the lists do not say about a provider: its GUID, and keyword bits where no manifest is at hand.</summary>
sealed record ProviderFacts(string Name, Guid Id, params KeyValuePair<string, ulong>[] Keywords)
{
    /// <summary>The providers, ordered by name.</summary>
    public static IReadOnlyList<ProviderFacts> All { get; } =
    [
        new("Microsoft-Windows-Kernel-Network", new Guid("7dd42a49-5329-4832-8dfd-43d979153a88"),
            new("KERNEL_NETWORK_KEYWORD_IPV4", 0x10), new("KERNEL_NETWORK_KEYWORD_IPV6", 0x20)),
        new("Microsoft-Windows-NDIS-PacketCapture", new Guid("2ed6006e-4729-4609-b423-3ee7bcd678ef")),
        new("Microsoft-Windows-PktMon", new Guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"),
            new("Config", 0x1), new("Rundown", 0x2), new("NblParsed", 0x4), new("NblInfo", 0x8), new("Payload", 0x10)),
        new("Microsoft-Windows-Ras-NdisWanPacketCapture", new Guid("d84521f7-2235-4237-a7c0-14e3a9676286")),
        new("Microsoft-Windows-TCPIP", new Guid("2f07e2ee-15db-40f1-90ef-9d7ba282188a")),
        new("Microsoft-Windows-Winsock-AFD", new Guid("e53c6823-7bb8-44bb-90dc-3f86090d48a6")),
        new("Microsoft-Windows-Winsock-NameResolution", new Guid("55404e71-4db9-4deb-a5f5-8f86e46dde56")),
    ];

    /// <summary>The manifest's keywords where it is at hand.</summary>
    public IReadOnlyList<KeyValuePair<string, ulong>> KeywordsWith(Manifest manifest) =>
        manifest.Keywords.Count > 0 ? [.. manifest.Keywords] : [.. Keywords.AsEnumerable()];
}

/// <summary>One layout of one event and the builds that have it.</summary>
sealed record Variant(EventRow Row, FieldSchema[] Fields)
{
    /// <summary>Bit i stands for the i-th build.</summary>
    public uint BuildMask { get; set; }
}
