using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.SchemaGenerator;

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
