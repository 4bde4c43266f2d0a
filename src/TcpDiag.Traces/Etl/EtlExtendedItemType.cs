namespace TcpDiag.Traces.Etl;

/// <summary>Types of extended data items (EVENT_HEADER_EXT_TYPE of evntcons.h).</summary>
public enum EtlExtendedItemType
{
    /// <summary>Not a type.</summary>
    None = 0,

    /// <summary>GUID of the related activity.</summary>
    RelatedActivityId = 1,

    /// <summary>Security identifier of the user.</summary>
    Sid = 2,

    /// <summary>Terminal session, u32.</summary>
    TerminalSessionId = 3,

    /// <summary>u32 instance, u32 parent instance, GUID of the parent.</summary>
    InstanceInfo = 4,

    /// <summary>u64 match id, then 4-byte addresses.</summary>
    StackTrace32 = 5,

    /// <summary>u64 match id, then 8-byte addresses.</summary>
    StackTrace64 = 6,

    /// <summary>PEBS index, u64.</summary>
    PebsIndex = 7,

    /// <summary>Performance counters, u64 each.</summary>
    PmcCounters = 8,

    /// <summary>Process state manager key.</summary>
    PsmKey = 9,

    /// <summary>Event key, u64.</summary>
    EventKey = 10,

    /// <summary>TraceLogging: name and fields of the event.</summary>
    EventSchema = 11,

    /// <summary>Name and traits of the provider.</summary>
    ProviderTraits = 12,

    /// <summary>Process start key, u64.</summary>
    ProcessStartKey = 13,

    /// <summary>Control GUID.</summary>
    ControlGuid = 14,

    /// <summary>Performance counter delta, u64.</summary>
    QpcDelta = 15,

    /// <summary>Container id.</summary>
    ContainerId = 16,
}
