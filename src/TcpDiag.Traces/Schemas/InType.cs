namespace TcpDiag.Traces.Schemas;

/// <summary>How a field is stored in a payload: the numbers of TDH_IN_TYPE (tdh.h), which files use too.</summary>
public enum InType
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>UTF-16 up to a NUL or the end of the payload; with a length, that many characters.</summary>
    UnicodeString = 1,

    /// <summary>8-bit text up to a NUL or the end of the payload; with a length, that many characters.</summary>
    AnsiString = 2,

    /// <summary>Signed, 1 byte.</summary>
    Int8 = 3,

    /// <summary>Unsigned, 1 byte.</summary>
    UInt8 = 4,

    /// <summary>Signed, 2 bytes.</summary>
    Int16 = 5,

    /// <summary>Unsigned, 2 bytes.</summary>
    UInt16 = 6,

    /// <summary>Signed, 4 bytes.</summary>
    Int32 = 7,

    /// <summary>Unsigned, 4 bytes.</summary>
    UInt32 = 8,

    /// <summary>Signed, 8 bytes.</summary>
    Int64 = 9,

    /// <summary>Unsigned, 8 bytes.</summary>
    UInt64 = 10,

    /// <summary>IEEE 754, 4 bytes.</summary>
    Float = 11,

    /// <summary>IEEE 754, 8 bytes.</summary>
    Double = 12,

    /// <summary>BOOL, 4 bytes.</summary>
    Boolean = 13,

    /// <summary>Bytes, as many as a field before or the schema says.</summary>
    Binary = 14,

    /// <summary>GUID, 16 bytes.</summary>
    Guid = 15,

    /// <summary>Address, 4 or 8 bytes by the record.</summary>
    Pointer = 16,

    /// <summary>100 ns units since 1601, 8 bytes.</summary>
    FileTime = 17,

    /// <summary>Year, month, day of week, day, hour, minute, second, millisecond; 8 × 2 bytes.</summary>
    SystemTime = 18,

    /// <summary>Security identifier, 8 + 4 · (second byte) bytes.</summary>
    Sid = 19,

    /// <summary>Unsigned for display in hexadecimal, 4 bytes.</summary>
    HexInt32 = 20,

    /// <summary>Unsigned for display in hexadecimal, 8 bytes.</summary>
    HexInt64 = 21,

    /// <summary>UTF-16 after its length in bytes (2 bytes); TraceLogging and manifests.</summary>
    ManifestCountedString = 22,

    /// <summary>8-bit text after its length (2 bytes).</summary>
    ManifestCountedAnsiString = 23,

    /// <summary>A group of the fields that follow.</summary>
    Struct = 24,

    /// <summary>Bytes after their count (2 bytes).</summary>
    ManifestCountedBinary = 25,

    /// <summary>UTF-16 after its length in bytes (2 bytes).</summary>
    CountedString = 300,

    /// <summary>8-bit text after its length (2 bytes).</summary>
    CountedAnsiString = 301,

    /// <summary>UTF-16 after its length in bytes (2 bytes, big-endian).</summary>
    ReversedCountedString = 302,

    /// <summary>8-bit text after its length (2 bytes, big-endian).</summary>
    ReversedCountedAnsiString = 303,

    /// <summary>UTF-16 up to the end of the payload.</summary>
    NonNullTerminatedString = 304,

    /// <summary>8-bit text up to the end of the payload.</summary>
    NonNullTerminatedAnsiString = 305,

    /// <summary>One UTF-16 unit.</summary>
    UnicodeChar = 306,

    /// <summary>One 8-bit character.</summary>
    AnsiChar = 307,

    /// <summary>Size, 4 or 8 bytes by the record.</summary>
    SizeT = 308,

    /// <summary>Bytes after their count (4 bytes).</summary>
    HexDump = 309,

    /// <summary>TOKEN_USER (two pointers) and a security identifier; 4 zero bytes when there is none.</summary>
    WbemSid = 310,
}

/// <summary>Sizes of the in-types (docs/formats/etl.md, "Payloads").</summary>
static class InTypes
{
    /// <summary>Bytes of one element, or 0 where data or schema decide.</summary>
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
