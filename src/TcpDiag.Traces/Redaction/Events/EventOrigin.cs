using System;
using System.Text;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>
/// Tells whether the names in a description of events are those of Windows and its makers, which everybody knows, or of somebody's own program. Who describes events may
/// call a provider what he likes; one that does not say whose it is counts as somebody's own.
/// </summary>
/// <param name="inFile">What the trace says of providers.</param>
sealed class EventOrigin(InFileSchemas inFile)
{
    // What names of providers of Windows, its kernel and its makers' programs begin with.
    static readonly string[] Beginnings = ["Microsoft-", "Microsoft.", "Windows", "MSNT_"];

    /// <summary>Whether a provider is one of Windows.</summary>
    /// <param name="provider">The provider.</param>
    /// <returns>False for somebody's own.</returns>
    public bool IsWindows(Guid provider) => IsWindows(provider, inFile.ProviderName(provider));

    /// <summary>Whether an event is one of Windows that describes itself.</summary>
    /// <param name="record">The event as it was.</param>
    /// <returns>False for somebody's own.</returns>
    public static bool IsWindows(in EtlRecord record)
    {
        foreach (EtlExtendedItem item in new EtlExtendedItems(record.ExtendedData))
        {
            if (item.Type == EtlExtendedItemType.ProviderTraits)
            {
                return IsWindows(record.Provider, Encoding.UTF8.GetString(item.Data[TraceLoggingSchema.ProviderNameIn(item.Data)]));
            }
        }

        return IsWindows(record.Provider, string.Empty);
    }

    /// <summary>Whether a provider is one of Windows.</summary>
    /// <param name="provider">The provider.</param>
    /// <param name="name">Its name; empty where none is told.</param>
    /// <returns>False for somebody's own.</returns>
    public static bool IsWindows(Guid provider, string name) =>
        SchemaCatalog.Bundled.Provider(provider) is not null || Array.Exists(Beginnings, beginning => name.StartsWith(beginning, StringComparison.OrdinalIgnoreCase));
}
