namespace TcpDiag.Traces.Schemas;

/// <summary>How a field is to be shown. Only the kinds that change the text; everything else follows from the in-type.</summary>
public enum OutType
{
    /// <summary>As the in-type suggests.</summary>
    Default = 0,

    /// <summary>In hexadecimal.</summary>
    Hex,

    /// <summary>A port in network order.</summary>
    Port,

    /// <summary>An IPv4 address in network order.</summary>
    Ipv4,

    /// <summary>An IPv4 or IPv6 address, by its length.</summary>
    IpAddress,

    /// <summary>A SOCKADDR (IPv4 or IPv6).</summary>
    SocketAddress,

    /// <summary>A link-layer address.</summary>
    Mac,

    /// <summary>A truth value.</summary>
    Boolean,

    /// <summary>An error code (NTSTATUS, HRESULT): hexadecimal unless 0.</summary>
    ErrorCode,

    /// <summary>Text in 8-bit units (a character, a string in bytes) as UTF-8.</summary>
    Utf8,

    /// <summary>A number of 1 or 2 bytes that is a character.</summary>
    Character,
}

/// <summary>
/// Reads the numbers that stand for out-types. Manifests (TDH_OUT_TYPE, tdh.h) and self-describing events (TlgOut_t,
/// TraceLoggingProvider.h) number them differently up to 18 and alike from 35 on.
/// </summary>
static class OutTypes
{
    /// <summary>The out-type of a property of TRACE_EVENT_INFO.</summary>
    public static OutType OfManifest(InType inType, int number) => number switch
    {
        1 => TextOf(inType),
        13 => OutType.Boolean,
        16 or 17 or 18 or 19 => OutType.Hex,
        22 => OutType.Port,
        23 => OutType.Ipv4,
        24 => OutType.IpAddress,
        25 => OutType.SocketAddress,
        29 or 30 or 31 or 32 => OutType.ErrorCode,
        35 => OutType.Utf8,
        _ => OutType.Default,
    };

    /// <summary>The out-type of a field of a self-describing event.</summary>
    /// <param name="inType">How the field is stored.</param>
    /// <param name="number">A TlgOut_t, without the bit that says that tags follow.</param>
    public static OutType OfTraceLogging(InType inType, int number) => number switch
    {
        2 => TextOf(inType),
        3 => OutType.Boolean,
        4 => OutType.Hex,
        7 => OutType.Port,
        8 => OutType.Ipv4,
        9 => OutType.IpAddress,
        10 => OutType.SocketAddress,
        13 or 14 or 15 => OutType.ErrorCode,
        35 => OutType.Utf8,
        _ => OutType.Default,
    };

    /// <summary>The out-type of a manifest's attribute <c>outType</c>.</summary>
    public static OutType OfName(InType inType, string? name) => name switch
    {
        "xs:string" => TextOf(inType),
        "xs:boolean" => OutType.Boolean,
        "win:HexInt8" or "win:HexInt16" or "win:HexInt32" or "win:HexInt64" => OutType.Hex,
        "win:Port" => OutType.Port,
        "win:IPv4" => OutType.Ipv4,
        "win:IPv6" => OutType.IpAddress,
        "win:SocketAddress" => OutType.SocketAddress,
        "win:ErrorCode" or "win:Win32Error" or "win:NTSTATUS" or "win:HResult" => OutType.ErrorCode,
        "win:Utf8" => OutType.Utf8,
        _ => OutType.Default,
    };

    // A number shown as text is one character.
    static OutType TextOf(InType inType) =>
        inType is InType.Int8 or InType.UInt8 or InType.Int16 or InType.UInt16 ? OutType.Character : OutType.Default;
}
