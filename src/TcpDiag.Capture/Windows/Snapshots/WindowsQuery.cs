using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Snapshots;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Windows.Snapshots;

/// <summary>
/// A question to Windows: instances of a CIM class, or the values of a registry key, asked through PowerShell and answered as JSON.
/// Names of properties and numbers of enumerations are the same in every language; what is translated is not asked for.
/// </summary>
/// <param name="Name">Name of the section.</param>
/// <param name="Place">Namespace and class, or the registry key.</param>
/// <param name="Keys">Properties that tell what a fact is about.</param>
/// <param name="Properties">Properties that are facts; none for all there are.</param>
sealed record WindowsQuery(string Name, string Place, string[] Keys, params string[] Properties)
{
    const string RegistryMark = "HK";

    // Added to every registry key by PowerShell itself.
    const string PowerShellPrefix = "PS";

    static readonly TimeSpan Budget = TimeSpan.FromSeconds(30);

    /// <summary>PowerShell that gives the instances, where neither class nor key does; null for those.</summary>
    public string? Source { get; init; }

    /// <summary>Turns a fact into what it means, where Windows keeps that as bytes; null where facts are as they should be.</summary>
    public Func<SnapshotFact, IEnumerable<SnapshotFact>>? Decode { get; init; }

    /// <summary>The question as a reader of snapshots.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="cancel">Ends its PowerShell.</param>
    /// <returns>The reader.</returns>
    public ISnapshotReader On(ICaptureMachine machine, CancellationToken cancel) => new SnapshotReader(Name, Place, Budget, () => Ask(machine, cancel));

    /// <summary>The command that asks.</summary>
    /// <returns>A call of PowerShell.</returns>
    public ProgramCall Call() => ProgramCall.Of("powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command", Script()) with { PrintsUtf8 = true };

    string Script()
    {
        // A key that is not there means that nothing of it was ever set.
        string source = Source is { } own ? own : Place.StartsWith(RegistryMark, StringComparison.Ordinal)
            ? $"&{{ if (Test-Path -LiteralPath '{Place}') {{ Get-ItemProperty -LiteralPath '{Place}' }} }}"
            : $"Get-CimInstance -Namespace '{Place[..Place.LastIndexOf('/')]}' -ClassName '{Place[(Place.LastIndexOf('/') + 1)..]}'";
        string select = Properties.Length == 0 ? string.Empty : $" | Select-Object {string.Join(',', Keys.Concat(Properties))}";
        return $"$ErrorActionPreference='Stop'; [Console]::OutputEncoding=New-Object Text.UTF8Encoding $false; {source}{select} | ConvertTo-Json -Compress -Depth 2";
    }

    List<SnapshotFact> Ask(ICaptureMachine machine, CancellationToken cancel)
    {
        cancel.ThrowIfCancellationRequested(); // before there is anything to end
        ProgramResult result = machine.Run(Call(), Budget, _ => cancel.ThrowIfCancellationRequested());
        if (!result.Succeeded)
        {
            throw new CaptureException($"PowerShell ended with {result.Describe()}");
        }

        // Nothing there prints nothing.
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
