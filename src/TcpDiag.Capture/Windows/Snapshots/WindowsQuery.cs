using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Windows.Snapshots;

/// <summary>
/// A query to Windows: instances of a CIM class, or the values of a registry key, read through PowerShell as JSON.
/// Property names and enumeration values are the same in every language; translated texts are not read.
/// </summary>
sealed record WindowsQuery(string Name, string Location, string[] Keys, params string[] Properties)
{
    const string RegistryMark = "HK";

    // Added to every registry key by PowerShell itself.
    const string PowerShellPrefix = "PS";

    static readonly TimeSpan Budget = TimeSpan.FromSeconds(30);

    /// <summary>PowerShell that returns the instances, where neither a class nor a key does; null otherwise.</summary>
    public string? Source { get; init; }

    /// <summary>Decodes a fact that Windows keeps as bytes; null where facts need no decoding.</summary>
    public Func<SnapshotFact, IEnumerable<SnapshotFact>>? Decode { get; init; }

    /// <summary>The question as a reader of snapshots.</summary>
    public ISnapshotReader On(ICaptureMachine machine, CancellationToken cancel) => new SnapshotReader(Name, Location, Budget, () => Ask(machine, cancel));

    public ProgramCall Call() =>
        ProgramCall.Of("powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command", Script()) with { PrintsUtf8 = true };

    string Script()
    {
        // A missing key means that none of its values was ever set.
        string source = Source is { } own ? own : Location.StartsWith(RegistryMark, StringComparison.Ordinal)
            ? $"&{{ if (Test-Path -LiteralPath '{Location}') {{ Get-ItemProperty -LiteralPath '{Location}' }} }}"
            : $"Get-CimInstance -Namespace '{Location[..Location.LastIndexOf('/')]}' -ClassName '{Location[(Location.LastIndexOf('/') + 1)..]}'";
        string select = Properties.Length == 0 ? string.Empty : $" | Select-Object {string.Join(',', Keys.Concat(Properties))}";
        return $"$ErrorActionPreference='Stop'; [Console]::OutputEncoding=New-Object Text.UTF8Encoding $false; "
            + $"{source}{select} | ConvertTo-Json -Compress -Depth 2";
    }

    List<SnapshotFact> Ask(ICaptureMachine machine, CancellationToken cancel)
    {
        cancel.ThrowIfCancellationRequested(); // before there is anything to end
        ProgramResult result = machine.Run(Call(), Budget, _ => cancel.ThrowIfCancellationRequested());
        if (!result.Succeeded)
        {
            throw new CaptureException($"PowerShell ended with {result.Describe()}");
        }

        // No instance prints nothing.
        List<SnapshotFact> facts = result.Output.AsSpan().Trim().Length == 0 ? [] : Read(result.Output);
        return Decode is { } decode ? [.. facts.SelectMany(decode)] : facts;
    }

    List<SnapshotFact> Read(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        JsonElement root = document.RootElement;
        IEnumerable<JsonElement> instances = root.ValueKind == JsonValueKind.Array ? root.EnumerateArray() : [root];
        return [.. instances.Where(instance => instance.ValueKind == JsonValueKind.Object).SelectMany(Facts)];
    }

    IEnumerable<SnapshotFact> Facts(JsonElement instance)
    {
        string subject = string.Join(' ', Keys.Select(key => instance.TryGetProperty(key, out JsonElement value) ? Text(value) : string.Empty));
        return from property in instance.EnumerateObject()
               where !Keys.Contains(property.Name, StringComparer.Ordinal) && !property.Name.StartsWith(PowerShellPrefix, StringComparison.Ordinal)
               let text = Text(property.Value)
               where text.Length > 0
               select new SnapshotFact(subject, property.Name, text);
    }

    static string Text(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null => string.Empty,
        JsonValueKind.Array => string.Join(',', value.EnumerateArray().Select(Text)),
        JsonValueKind.String => value.GetString()!,
        _ => value.GetRawText(),
    };
}

/// <summary>
/// The proxy of services (<c>netsh winhttp set proxy</c>), which the registry holds as bytes, little-endian: 24, a number that is 0 or counts the
/// changes, flags, then the proxy and the hosts without one, each in ASCII with its length before it. Microsoft documents the twenty bytes of "no
/// proxy" alone (18, 0, 1, 0, 0 as 32-bit numbers: "use Group Policy to apply WinHTTP proxy settings") and reads the length of the proxy at byte 12
/// in a script of its own; Wine's winhttp reads and writes the same form. The value of WinINet, which has it too, begins with 70 and goes on with the
/// address of a script: read where it is there.
/// </summary>
static class WinHttpProxy
{
    const int FlagsOffset = 8;
    const int StringsOffset = 12;

    /// <summary>What the value means.</summary>
    /// <returns>Flags (1 always, 2 a proxy, 4 a script, 8 looked for in the network), proxy, bypass and script where there are some; a fact that says
    /// so where it cannot be read, for the bytes hold names.</returns>
    public static IEnumerable<SnapshotFact> Facts(SnapshotFact fact)
    {
        byte[] bytes = [.. fact.Value.Split(',')
            .Select(number => byte.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out byte value) ? value : (byte)0)];
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
