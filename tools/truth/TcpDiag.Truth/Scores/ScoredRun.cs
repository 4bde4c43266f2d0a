using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces;

namespace TcpDiag.Truth.Scores;

/// <summary>A run of the lab, scored: what its sender's stack was set to and counted, beside the card of its capture.</summary>
/// <param name="Folder">The run.</param>
/// <param name="Cell">Its path.</param>
/// <param name="Side">Its side.</param>
/// <param name="Stack">The stack of the side (docs/lab.md).</param>
/// <param name="Dsacks">DSACKs the kernel counted.</param>
/// <param name="Reorderings">Reordering events it counted: from the first on, a reordering window counts.</param>
/// <param name="Card">The card of the sender.</param>
public sealed record ScoredRun(string Folder, string Cell, string Side, string Stack, long Dsacks, long Reorderings, Scorecard Card)
{
    const int MinSeen = 2;

    /// <summary>What may be told of its loss detection; the most that is right first.</summary>
    public IReadOnlyList<string> Truths => Stack switch
    {
        "no-sack" => [Fingerprint.NoSack],
        "fixed" => [Fingerprint.RackFixed, Fingerprint.Rack],
        "not-adapting" => [Fingerprint.Rack, Fingerprint.RackFixed],
        "no-dsack" => [Fingerprint.Rack],
        _ => [Fingerprint.RackAdaptive, Fingerprint.Rack],
    };

    /// <summary>The verdict.</summary>
    public string Verdict => Card.Fingerprint?.Verdict ?? Fingerprint.Unknown;

    /// <summary>Whether it is right, as far as it goes.</summary>
    public bool IsRight => Truths.Contains(Verdict, StringComparer.Ordinal);

    /// <summary>Whether the kernel's window counted, so that its loss detection showed; without SACK the handshake says it.</summary>
    public bool IsDetectionExercised => Stack is "no-sack" || Reorderings >= MinSeen;

    /// <summary>Whether DSACKs could have widened the window: so a fixed one is another than one that adapts.</summary>
    public bool IsWindowExercised => Stack is not "no-sack" && Reorderings >= MinSeen && Dsacks >= MinSeen;

    /// <summary>Whether the verdict says if the window grows.</summary>
    public bool IsWindowTold => Verdict is Fingerprint.RackFixed or Fingerprint.RackAdaptive;

    /// <summary>Reads and scores the runs of an experiment that were finished and not void.</summary>
    /// <param name="directory">What <c>lab run</c> wrote.</param>
    public static IEnumerable<ScoredRun> Of(string directory)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(directory, "run.json")));
        Dictionary<string, string> stacks = document.RootElement.GetProperty("matrix").GetProperty("sides").EnumerateArray()
            .ToDictionary(side => side.GetProperty("name").GetString()!, side => side.GetProperty("stack").GetString()!, StringComparer.Ordinal);
        return LabFolder.Runs(directory).Select(one => Read(one.Folder, one.Run, one.Run.Text("side"), stacks[one.Run.Text("side")]));
    }

    /// <summary>Numbers of the sender's kernel in the results.</summary>
    /// <param name="run">A run of the results.</param>
    /// <param name="group">kernel or hyStart.</param>
    /// <param name="name">The counter.</param>
    /// <returns>0 where it was not counted.</returns>
    public static long Counter(JsonElement run, string group, string name) =>
        run.GetProperty("sender").GetProperty(group) is { ValueKind: JsonValueKind.Object } counters
            && counters.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number ? value.GetInt64() : 0;

    static ScoredRun Read(string folder, JsonElement run, string side, string stack)
    {
        using TraceReader reader = TraceFile.Open(Path.Combine(folder, "sender.pcapng"));
        Scorecard card = TraceScorer.Score(reader).Cards[0];
        return new(
            folder, run.GetProperty("cell").GetString()!, side, stack, Counter(run, "kernel", "dsacks"), Counter(run, "kernel", "reorderingEvents"), card);
    }
}
