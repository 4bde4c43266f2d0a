using System;
using System.Collections.Frozen;
using System.Text.Json.Nodes;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Traces.Redaction.Bundles;

/// <summary>
/// Where a text stands in a snapshot (docs/schemas/snapshot.json) or a journal, and so who has written it: this program, the system and its drivers, or somebody who gave things their
/// names. Only what the first two write may stay.
/// </summary>
/// <param name="Section">Section of the snapshot; empty outside.</param>
/// <param name="Fact">Name of the fact; in a journal the step.</param>
/// <param name="Property">The field of the document.</param>
readonly record struct JsonPlace(string Section, string Fact, string Property)
{
    // Sections of which more is known than that they hold facts: what stands in them is decided by their names, also when the result is read.
    static readonly FrozenSet<string> Sections =
    [
        JudgedSettings.SysctlsSection, JudgedSettings.TemplatesSection, JudgedSettings.TcpRegistrySection, JudgedSettings.AfdRegistrySection, JudgedSettings.BindingsSection,
        JudgedSettings.InterfacesSection, "system", "machine", "adapters", "adapter-settings", "firmware", "hardware", "rss", "rsc", "lso", "checksum-offload", "tcp-offload", "power",
        "firewall", "wfp-callouts", "antivirus", "dns", "proxy", "winhttp-proxy", "routes", "qdiscs", "sockets", "tcp-template-filters", "tcp-interface-registry", "tcp-global",
    ];

    /// <summary>The document itself.</summary>
    public static JsonPlace Root { get; } = new(string.Empty, string.Empty, string.Empty);

    /// <summary>The place of what an object holds.</summary>
    /// <param name="item">The object at this place.</param>
    /// <returns>The place, its field still that of the object.</returns>
    public JsonPlace Inside(JsonObject item) => Property switch
    {
        "sections" => this with { Section = TextOf(item["name"]) },
        "facts" => this with { Fact = TextOf(item["name"]) },
        "" => this with { Fact = TextOf(item["step"]) },
        _ => this,
    };

    /// <summary>The place of a field.</summary>
    /// <param name="property">Its name.</param>
    /// <returns>The place.</returns>
    public JsonPlace At(string property) => this with { Property = property };

    /// <summary>What becomes of a text here.</summary>
    /// <param name="text">The text.</param>
    /// <returns>Which of its words stay.</returns>
    public TextRule RuleOf(string text) => Property switch
    {
        "name" when Fact.Length == 0 && Section.Equals(text, StringComparison.Ordinal) && Sections.Contains(text) => TextRule.Own,
        "schema" or "tool" or "step" or "engine" or "source" or "name" or "utc" or "takenUtc" or "createdUtc" or "operatingSystem" => TextRule.Names,
        "problem" => TextRule.Sentence,
        "detail" => Fact is "Prepared" ? TextRule.Facts : TextRule.Sentence, // the first line tells what was asked for, in the user's words
        "subject" => RuleOfSubject(text),
        "value" => RuleOfValue(),
        _ => TextRule.Facts,
    };

    // Files of the system that are read, profiles that come with Windows, keys; else adapters and addresses.
    TextRule RuleOfSubject(string text) => Section switch
    {
        "machine" or "firewall" or "wfp-callouts" or JudgedSettings.TemplatesSection => TextRule.Names,
        "dns" when text.StartsWith("/etc/", StringComparison.Ordinal) || text.StartsWith("/run/", StringComparison.Ordinal) => TextRule.Names,
        "adapter-settings" or JudgedSettings.BindingsSection => TextRule.NameAtEnd,
        "firmware" => TextRule.DevicePath,
        _ => TextRule.Ordinary,
    };

    // What kernel, drivers and Windows say of themselves. DNS, proxy, antivirus, the maker of the machine and who built its kernel may name somebody.
    TextRule RuleOfValue() => Section switch
    {
        JudgedSettings.SysctlsSection or JudgedSettings.TemplatesSection or JudgedSettings.TcpRegistrySection or JudgedSettings.AfdRegistrySection or JudgedSettings.BindingsSection
            or "system" or "tcp-offload" or "power" or "firewall" or "firmware" or "rss" or "rsc" or "lso" or "checksum-offload" or "hardware" or "wfp-callouts"
            or "qdiscs" or "routes" or "sockets" or "tcp-global" or "tcp-interface-registry" or "tcp-template-filters" => TextRule.Names,
        JudgedSettings.InterfacesSection when Fact is "driver" or "driver-version" or "firmware" or "bus" or "operstate" or "duplex" => TextRule.Names,
        "adapters" when Fact.StartsWith("Driver", StringComparison.Ordinal) => TextRule.Names,
        "adapters" when Fact is "PnPDeviceID" => TextRule.DevicePath,
        "proxy" or "winhttp-proxy" => TextRule.Networks,
        "machine" when Fact is "/proc/version" => TextRule.NameAtStart,
        "machine" when Fact.StartsWith("/sys/devices/", StringComparison.Ordinal) || Fact.StartsWith("/proc/sys/", StringComparison.Ordinal) => TextRule.Names,
        "adapter-settings" => TextRule.Ordinary, // an address of the adapter's own may be set, which is a number
        _ => TextRule.Facts,
    };

    static string TextOf(JsonNode? node) => node is JsonValue value && value.TryGetValue(out string? text) ? text : string.Empty;
}
