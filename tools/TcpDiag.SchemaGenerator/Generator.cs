using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

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
                string key = row.Identity;
                if (!variants.TryGetValue(key, out Variant? variant))
                {
                    variant = new Variant(row, rules.FieldsOf(row));
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
