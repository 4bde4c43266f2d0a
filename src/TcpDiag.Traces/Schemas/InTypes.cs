namespace TcpDiag.Traces.Schemas;

/// <summary>Sizes of the in-types (docs/formats/etl.md, "Payloads").</summary>
static class InTypes
{
    /// <summary>Bytes of one element, or 0 where the data or the schema tell.</summary>
    public static int FixedSize(InType type, bool is64Bit) => type switch
    {
        InType.Int8 or InType.UInt8 or InType.AnsiChar => 1,
        InType.Int16 or InType.UInt16 or InType.UnicodeChar => 2,
        InType.Int32 or InType.UInt32 or InType.HexInt32 or InType.Float or InType.Boolean => 4,
        InType.Int64 or InType.UInt64 or InType.HexInt64 or InType.Double or InType.FileTime => 8,
        InType.Guid or InType.SystemTime => 16,
        InType.Pointer or InType.SizeT => is64Bit ? 8 : 4,
        _ => 0,
    };

    /// <summary>Whether the type holds a whole number.</summary>
    public static bool IsInteger(InType type) => type
        is (>= InType.Int8 and <= InType.UInt64)
        or InType.Boolean or InType.Pointer or InType.HexInt32 or InType.HexInt64 or InType.SizeT;

    /// <summary>Whether the whole number has a sign.</summary>
    public static bool IsSigned(InType type) => type is InType.Int8 or InType.Int16 or InType.Int32 or InType.Int64;

    /// <summary>Whether the type is text in 16-bit units.</summary>
    public static bool IsUtf16(InType type) => type
        is InType.UnicodeString or InType.ManifestCountedString or InType.CountedString
        or InType.ReversedCountedString or InType.NonNullTerminatedString or InType.UnicodeChar;

    /// <summary>Whether the type is text in 8-bit units.</summary>
    public static bool IsAnsi(InType type) => type
        is InType.AnsiString or InType.ManifestCountedAnsiString or InType.CountedAnsiString
        or InType.ReversedCountedAnsiString or InType.NonNullTerminatedAnsiString or InType.AnsiChar;
}
