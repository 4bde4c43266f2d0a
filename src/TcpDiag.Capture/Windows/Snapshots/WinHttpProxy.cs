using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Windows.Snapshots;

/// <summary>
/// The proxy of services (<c>netsh winhttp set proxy</c>), which the registry holds as bytes: size of the structure, a counter, flags, then the proxy and the hosts without one,
/// each with its length before it, little-endian and ASCII. The form is not documented: as others have read it.
/// </summary>
static class WinHttpProxy
{
    const int FlagsOffset = 8;
    const int StringsOffset = 12;

    /// <summary>What the value means.</summary>
    /// <param name="fact">The value as PowerShell gives it: numbers with commas between.</param>
    /// <returns>Flags (1 none, 2 and 3 a proxy), proxy and bypass where there are some; a fact that says so where it cannot be read, for the bytes hold names.</returns>
    public static IEnumerable<SnapshotFact> Facts(SnapshotFact fact)
    {
        byte[] bytes = [.. fact.Value.Split(',').Select(number => byte.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out byte value) ? value : (byte)0)];
        if (bytes.Length < StringsOffset)
        {
            yield return new(fact.Subject, fact.Name, "not readable");
            yield break;
        }

        yield return new(fact.Subject, "Flags", BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(FlagsOffset)).ToString(CultureInfo.InvariantCulture));
        int offset = StringsOffset;
        foreach (string name in (string[])["Proxy", "Bypass"])
        {
            if (ReadText(bytes, ref offset) is { Length: > 0 } text)
            {
                yield return new(fact.Subject, name, text);
            }
        }
    }

    // Null where it does not fit.
    static string? ReadText(byte[] bytes, ref int offset)
    {
        int begin = offset + sizeof(uint);
        if (begin > bytes.Length || BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(offset)) is var length && length > bytes.Length - begin)
        {
            offset = bytes.Length;
            return null;
        }

        offset = begin + (int)length;
        return Encoding.ASCII.GetString(bytes, begin, (int)length);
    }
}
