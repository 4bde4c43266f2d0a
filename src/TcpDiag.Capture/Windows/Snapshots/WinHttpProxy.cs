using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Windows.Snapshots;

/// <summary>
/// The proxy of services (<c>netsh winhttp set proxy</c>), which the registry holds as bytes, little-endian: 24, a number that is 0 or counts the changes, flags, then the proxy and
/// the hosts without one, each in ASCII with its length before it. Microsoft documents the twenty bytes of "no proxy" alone (18, 0, 1, 0, 0 as 32-bit numbers: "use Group Policy to
/// apply WinHTTP proxy settings") and reads the length of the proxy at byte 12 in a script of its own; Wine's winhttp reads and writes the same form. The value of WinINet, which has
/// it too, begins with 70 and goes on with the address of a script: read where it is there.
/// </summary>
static class WinHttpProxy
{
    const int FlagsOffset = 8;
    const int StringsOffset = 12;

    /// <summary>What the value means.</summary>
    /// <param name="fact">The value as PowerShell gives it: numbers with commas between.</param>
    /// <returns>Flags (1 always, 2 a proxy, 4 a script, 8 looked for in the network), proxy, bypass and script where there are some; a fact that says so where it cannot be read, for the bytes hold names.</returns>
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
        foreach (string name in (string[])["Proxy", "Bypass", "AutoConfigUrl"])
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
