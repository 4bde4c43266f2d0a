using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Truth.Scores;

/// <summary>
/// The simulator's receivers beside the kernel's: each is given the data of a run of the lab when the path's log says that it arrived, and reads it at once.
/// Compared is each acknowledgment that the kernel sent: whether the model sends one of the same number and the same SACK blocks, and when.
/// </summary>
static class ReceiverTruth
{
    const long SameNanos = 300_000; // a host that is not idle takes longer to wake than this seldom

    static readonly (string Name, Func<string, ReceiverTraits> Traits)[] Models =
    [
        ("Linux", ReceiverVariants.Linux),
        ("without its rules", side => ReceiverVariants.Linux(side) with { IsLinux = false, CompressedSacks = 0 }),
    ];

    /// <summary>The table.</summary>
    /// <param name="lab">What <c>lab run</c> wrote: uploads, captured at the sender.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(string lab)
    {
        StringBuilder text = new("| receiver | side | runs | acknowledgments, kernel and model | in order: same number | with SACK: same number and blocks | both in time | the same window |\n");
        text.Append("|---|---|--:|--:|--:|--:|--:|--:|\n");
        string[] runs = [.. Directory.GetFiles(lab, "decisions.tdil", SearchOption.AllDirectories).Select(file => Path.GetDirectoryName(file)!).Order(StringComparer.Ordinal)];
        foreach ((string name, Func<string, ReceiverTraits> traits) in Models)
        {
            List<Tally> all = [];
            foreach (IGrouping<string, string> side in runs.GroupBy(run => Path.GetFileName(Path.GetDirectoryName(run))!, StringComparer.Ordinal))
            {
                Tally[] tallies = [.. side.Select(run => TallyOf(run, traits(side.Key)))];
                Append(text, name, side.Key, tallies);
                all.AddRange(tallies);
            }

            Append(text, name, "together", all);
        }

        return text.ToString();
    }

    static void Append(StringBuilder text, string model, string side, IReadOnlyList<Tally> runs)
    {
        string Share(Func<Tally, int> part, Func<Tally, int> whole) =>
            string.Create(CultureInfo.InvariantCulture, $"{100.0 * runs.Sum(part) / Math.Max(runs.Sum(whole), 1):0.0} %");
        text.Append(CultureInfo.InvariantCulture, $"| {model} | {side} | {runs.Count} | {runs.Sum(run => run.Kernel)}, {runs.Sum(run => run.Model)} | ");
        text.Append(CultureInfo.InvariantCulture, $"{Share(run => run.SamePlain, run => run.Kernel - run.Sacks)} | {Share(run => run.SameSacks, run => run.Sacks)} | ");
        text.Append(CultureInfo.InvariantCulture, $"{Share(run => run.InTime, run => run.SamePlain + run.SameSacks)} | ");
        text.Append(CultureInfo.InvariantCulture, $"{Share(run => run.SameWindow, run => run.SamePlain + run.SameSacks)} |\n");
    }

    static Tally TallyOf(string folder, ReceiverTraits traits)
    {
        ReceiverRun run = ReceiverRun.Read(folder);
        ILookup<string, Answer> model = Answers(run, traits).ToLookup(answer => answer.Text, StringComparer.Ordinal);
        Tally tally = new() { Model = model.Sum(group => group.Count()) };
        foreach (ReceiverRun.Reply reply in run.Replies)
        {
            Answer answer = new(reply.Time, reply.Ack);
            Answer? nearest = model[answer.Text].Select(one => (Answer?)one).MinBy(one => Math.Abs(one!.Value.Time - answer.Time));
            bool hasSacks = reply.Ack.BlockCount > 0;
            tally.Kernel++;
            tally.Sacks += hasSacks ? 1 : 0;
            tally.SamePlain += nearest is not null && !hasSacks ? 1 : 0;
            tally.SameSacks += nearest is not null && hasSacks ? 1 : 0;
            tally.InTime += nearest is { } same && Math.Abs(same.Time - answer.Time) <= SameNanos ? 1 : 0;
            tally.SameWindow += nearest is { } other && other.Ack.Window == answer.Ack.Window ? 1 : 0;
        }

        return tally;
    }

    static IEnumerable<Answer> Answers(ReceiverRun run, ReceiverTraits traits)
    {
        Receiver tcp = new(traits with { WindowScale = run.WindowScale }, run.Smss, run.FirstByte);
        tcp.OnSyn(run.SynTsVal);
        tcp.OnEstablished(run.Established, run.RttNanos);
        foreach (DataArrival arrival in run.Arrivals)
        {
            while (tcp.NextTimer < arrival.Now)
            {
                TraceTime due = tcp.NextTimer;
                tcp.OnTimer(due);
                foreach (Answer answer in Due(tcp, due))
                {
                    yield return answer;
                }
            }

            tcp.OnSegment(arrival);
            foreach (Answer answer in Due(tcp, arrival.Now))
            {
                yield return answer;
            }

            tcp.Read(int.MaxValue, arrival.Now);
            foreach (Answer answer in Due(tcp, arrival.Now))
            {
                yield return answer;
            }
        }
    }

    static IEnumerable<Answer> Due(Receiver tcp, TraceTime now)
    {
        while (tcp.TryTakeAck(out AckArrival ack))
        {
            yield return new Answer(now, ack);
        }
    }

    readonly record struct Answer(TraceTime Time, AckArrival Ack)
    {
        public string Text
        {
            get
            {
                AckArrival ack = Ack;
                return $"{ack.Una} {string.Join(' ', Enumerable.Range(0, ack.BlockCount).Select(i => $"{ack[i]}"))}";
            }
        }
    }

    sealed class Tally
    {
        public int Kernel { get; set; }

        public int Model { get; set; }

        public int Sacks { get; set; }

        public int SamePlain { get; set; }

        public int SameSacks { get; set; }

        public int InTime { get; set; }

        public int SameWindow { get; set; }
    }
}
