using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Locate.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Locate.Tests.LocateCase;

namespace TcpDiag.Locate.Tests;

/// <summary>
/// Real transfers over an emulated path, captured at three points, each seen under what clocks, recorders and middleboxes do to captures. Twelve runs, up and
/// down, under nine conditions.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class LocateLabTests : IDisposable
{
    static readonly string[] Troubles =
    [
        "", "loss {d}1pct", "loss behind:{d}1pct", "loss {d}0.5pct;loss behind:{d}1pct", "reorder {d}1pct:add:8ms", "reorder behind:{d}1pct:add:8ms",
        "reorder behind:{d}1pct:replace:5ms", "reorder {d}0.5pct:add:3ms;reorder behind:{d}1pct:add:8ms", "loss {d}1pct;reorder behind:{d}1pct:add:8ms",
        "loss behind:{d}1pct;reorder {d}1pct:add:8ms", "loss {d}ge:0.3pct:20pct", "reorder behind:{d}flush:100ms-300ms:20:3ms",
    ];

    // What is done to the captures of sender, middle and receiver; counts stay exact, but where a recorder lacks packets.
    static readonly Dictionary<string, (Func<CaptureEdit, CaptureEdit>[] Edits, int Merged, bool IsExact)> Conditions = new(StringComparer.Ordinal)
    {
        ["plain"] = ([edit => edit, edit => edit, edit => edit], 1, true),
        ["apart"] = ([edit => edit, edit => edit.Clock(-Hour, 200), edit => edit.Clock(Hour, -200)], 1, true),
        ["step"] = ([edit => edit, edit => edit.Clock(0, 20, 500 * Ms, 700 * Ms), edit => edit], 1, true),
        ["nat"] = ([edit => edit, edit => edit.Nat(), edit => edit.Nat().Clock(3 * Second, 50)], 1, true),
        ["snap"] = ([edit => edit.Cut(68), edit => edit, edit => edit.Cut(68)], 1, true),
        ["offload"] = ([edit => edit, edit => edit, edit => edit], 8, true),
        ["middle-late"] = ([edit => edit, edit => edit.Between(500 * Ms), edit => edit], 1, false),
        ["middle-loses"] = ([edit => edit, edit => edit.Lose(0.02, 7), edit => edit], 1, false),
        ["receiver-loses"] = ([edit => edit, edit => edit, edit => edit.Lose(0.02, 8).Clock(-Hour, 90)], 1, false),
    };

    // A busy machine may keep a recorder from recording; what is judged is the location, not the recorder.
    const int Attempts = 4;

    // The last data and the FIN.
    const int MaxUntold = 2;

    // Losses in both segments keep so few packets in flight that a clock step of half a second is not found between them: the bound says so (245 ms).
    const int SlowTrouble = 3;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-locate").FullName;

    [Trait("Needs", "time")]
    [RootFact("ip", "tcpdump", "iperf3")]
    public void RealTransfers_TheRightSegmentInEveryCase()
    {
        List<string> wrong = [];
        int cases = 0;
        for (int i = 0; i < Troubles.Length; i++)
        {
            LabRun run = RunOf(i);
            foreach (string condition in Conditions.Keys)
            {
                cases++;
                bool isTooSlow = i == SlowTrouble && condition is "step";
                wrong.AddRange(Check(run, Conditions[condition] with { IsExact = Conditions[condition].IsExact && !isTooSlow }, i % 2 == 1).Select(
                    what => $"'{Troubles[i]}' {condition}: {what}"));
            }
        }

        Assert.True(wrong.Count == 0, string.Join("\n", wrong));
        Assert.Equal(Troubles.Length * Conditions.Count, cases);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    LabRun RunOf(int number)
    {
        bool isDownload = number % 2 == 1;
        string data = isDownload ? "in:" : "out:";
        string acks = isDownload ? "out:" : "in:";
        string[] path =
        [
            $"delay {data}5ms", $"delay behind:{data}20ms", $"delay {acks}20ms", $"delay behind:{acks}5ms", $"rate behind:{data}50mbit",
                $"buffer behind:{data}1bdp",
            $"seed {number + 1}", .. Troubles[number].Replace("{d}", data, StringComparison.Ordinal).Split(';', StringSplitOptions.RemoveEmptyEntries),
        ];
        for (int attempt = 1; ; attempt++)
        {
            DirectoryInfo folder = Directory.CreateDirectory(System.IO.Path.Combine(_folder, $"{number}-{attempt}"));
            LabRun run = new(folder.FullName, isDownload, path);
            if (run.Fault is null)
            {
                return run;
            }

            Assert.True(attempt < Attempts, run.Fault);
        }
    }

    static IEnumerable<string> Check(LabRun run, (Func<CaptureEdit, CaptureEdit>[] Edits, int Merged, bool IsExact) condition, bool isDownload)
    {
        byte[][] captures = [.. run.Captures.Select((path, point) => Edited(run, path, condition.Edits[point], point == 2 ? condition.Merged : 1))];
        Location location = Located(("middle", captures[1]), ("receiver", captures[2]), ("sender", captures[0]));
        if (location.Paths.Count != 1 || location.Paths[0].Points.Count != 3)
        {
            return ["not one path over three points"];
        }

        LocatedDirection data = isDownload ? location.Paths[0].FromServer : location.Paths[0].FromClient;
        return condition.IsExact ? Exact(run, data, location.Paths[0], isDownload, condition.Merged == 1) : NeverWrong(run, data);
    }

    static IEnumerable<string> Exact(LabRun run, LocatedDirection data, LocatedPath path, bool isDownload, bool isTimed)
    {
        for (int i = 0; i < 2; i++)
        {
            // What is lost behind the last packet that a capture has cannot be told, and is said so.
            long untold = data.Untold.Where(one => one.Behind == data.Steps[i].From).Sum(one => one.Packets);
            if (data.Steps[i].Data.Lost + untold != run.LostData(i) || untold > MaxUntold)
            {
                yield return $"segment {i}: {data.Steps[i].Data.Lost} lost and {untold} untold, {run.LostData(i)} were";
            }

            if (isTimed && data.Steps[i].Data.Late != run.Late(i + 1))
            {
                yield return $"segment {i}: {data.Steps[i].Data.Late} late, {run.Late(i + 1)} were";
            }

            long bound = Math.Max(50_000, (long)path.Clocks[isDownload ? 1 - i : i].BoundNanos);
            if (isTimed && data.Steps[i].DelayError(run.Delays(i + 1)) > bound)
            {
                yield return $"segment {i}: delays {data.Steps[i].DelayError(run.Delays(i + 1))} ns off, bound {bound}";
            }
        }
    }

    static IEnumerable<string> NeverWrong(LabRun run, LocatedDirection data)
    {
        for (int i = 0; i < 2; i++)
        {
            if (data.Steps[i].Data.Lost > run.LostData(i) || data.Steps[i].Data.Late > run.Late(i + 1))
            {
                yield return $"segment {i}: {data.Steps[i].Data.Lost} lost and {data.Steps[i].Data.Late} late of {run.LostData(i)} and {run.Late(i + 1)}";
            }
        }
    }

    static byte[] Edited(LabRun run, string path, Func<CaptureEdit, CaptureEdit> edit, int merged)
    {
        using TraceReader reader = TraceFile.Open(path);
        return edit(CaptureEdit.From(run.Start).Only(LabRun.ClientPort)).Apply(reader, LinkType.Raw, merged);
    }
}
