using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Cli.Explain;
using TcpDiag.Doctor;
using TcpDiag.Doctor.Answers;
using TcpDiag.Doctor.Changes;
using TcpDiag.Report;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>The answer in words: where it is, what to do, what it is not.</summary>
/// <param name="sentences">The language.</param>
/// <param name="columns">Length of a line, at most.</param>
sealed class AnswerText(Sentences sentences, int columns)
{
    const int TicketLines = 10;
    const double NanosPerSecond = 1e9;

    /// <summary>Whether it is said how steps are done by this program.</summary>
    public bool IsApplyOffered { get; init; }

    /// <summary>The whole answer.</summary>
    public IEnumerable<PlainLine> Of(Diagnosis diagnosis)
    {
        if (diagnosis is { Connections: 0, Suspect: null })
        {
            return Wrap(sentences.Of("none"), isHeading: true);
        }

        return [.. Head(diagnosis), new(string.Empty), .. Steps(diagnosis), .. RuledOut(diagnosis), .. More(diagnosis)];
    }

    /// <summary>Ten lines, at most, for a ticket: no names and addresses but those of the findings.</summary>
    public IEnumerable<string> Ticket(Diagnosis diagnosis, string version) => (diagnosis is { Connections: 0, Suspect: null }
            ? [.. Of(diagnosis).Select(line => line.Text)]
            : (IEnumerable<string>)
            [
                .. Head(diagnosis).Select(line => line.Text.Trim()),
                .. diagnosis.Steps.Take(2).Select(step => $"→ {SafeText.OneLine(step.Command ?? step.What, columns)}"),
                .. diagnosis.RuledOut.Take(2).Select(item => $"≠ {SafeText.OneLine(Sentence(item), columns)}"),
            ])
        .Prepend($"tcpdiag {version}, troubleshoot").Take(TicketLines);

    IEnumerable<PlainLine> Head(Diagnosis diagnosis)
    {
        foreach (PlainLine line in Wrap(sentences.Of($"side.{Name(diagnosis.Side)}"), isHeading: true))
        {
            yield return line;
        }

        List<string> facts = [];
        if (diagnosis.Cause is { } cause)
        {
            facts.Add(sentences.Of("cause", sentences.Finding(cause.Id)));
            facts.Add(diagnosis.SecondsLost switch
            {
                null => sentences.Of("cost.unknown"),
                0 => sentences.Of("cost.none"),
                { } lost => sentences.Of("cost", Duration(lost), Duration(Math.Max(diagnosis.SecondsOf, lost))),
            });
            facts.Add(sentences.Of("sure", cause.Confidence.ToString("0 %", CultureInfo.InvariantCulture)));
        }

        if (diagnosis.Suspect is { } suspect)
        {
            facts.Add(sentences.Of("cause", SafeText.OneLine(suspect.Found)));
        }

        facts.Add(sentences.Of("seen", diagnosis.Connections, Quantity.Bytes(diagnosis.Bytes)));
        if (diagnosis.Others.Count > 0)
        {
            facts.Add(sentences.Of("others", string.Join("; ", diagnosis.Others.Take(3).Select(finding => sentences.Finding(finding.Id)))));
        }

        foreach (string line in facts.SelectMany(fact => PlainMarkdown.Wrap(fact, columns, "  ", "    ")))
        {
            yield return new(line);
        }
    }

    IEnumerable<PlainLine> Steps(Diagnosis diagnosis)
    {
        if (diagnosis.Steps.Count == 0)
        {
            return Wrap(sentences.Of("steps.none"));
        }

        return
        [
            .. Wrap(sentences.Of("steps"), isHeading: true),
            .. sentences.Of("steps.language") is { Length: > 0 } note ? Wrap(note) : [],
            .. diagnosis.Steps.SelectMany((step, i) => Step(step, i + 1)).Select(line => new PlainLine(line)),
        ];
    }

    IEnumerable<string> Step(Remedy step, int number)
    {
        string head = FormattableString.Invariant($"{number,3}. ");
        string indent = new(' ', head.Length);
        return
        [
            .. PlainMarkdown.Wrap(SafeText.OneLine(step.What), columns, head, indent),
            .. step.Command is { } command ? Wrapped("steps.command", $"`{SafeText.OneLine(command)}`", indent) : [],
            .. step.Undo is { } undo ? Wrapped("steps.undo", $"`{SafeText.OneLine(undo)}`", indent) : [],
            .. Wrapped("steps.who", sentences.Of($"who.{Name(step.Who)}"), indent),
            .. IsApplyOffered && step.Changes.Count > 0 && step.Changes.All(AppliedSettings.Allow) ? Wrapped("steps.apply", FormattableString.Invariant($"{number}"), indent) : [],
        ];
    }

    IEnumerable<string> Wrapped(string name, string value, string indent) => PlainMarkdown.Wrap(sentences.Of(name, value), columns, indent, indent + "         ");

    IEnumerable<PlainLine> RuledOut(Diagnosis diagnosis) => diagnosis.RuledOut.Count == 0
        ? []
        :
        [
            new(string.Empty),
            .. Wrap(sentences.Of("out"), isHeading: true),
            .. diagnosis.RuledOut.SelectMany(item => PlainMarkdown.Wrap(SafeText.OneLine(Sentence(item)), columns, "  - ", "    ")).Select(line => new PlainLine(line)),
        ];

    IEnumerable<PlainLine> More(Diagnosis diagnosis) =>
        diagnosis.Cause is { } cause ? [new(string.Empty), .. Wrap(sentences.Of("more", cause.Id))] : [];

    string Sentence(RuledOut item) => sentences.Of($"out.{item.What}", item.Evidence);

    IEnumerable<PlainLine> Wrap(string text, bool isHeading = false) => PlainMarkdown.Wrap(text, columns).Select(line => new PlainLine(line, isHeading));

    static string Duration(double seconds) => Quantity.Duration((long)(seconds * NanosPerSecond));

    // The name of a value in the resources: thisComputer.
    static string Name<T>(T value)
        where T : struct, Enum
    {
        string name = value.ToString();
        return char.ToLowerInvariant(name[0]) + name[1..];
    }
}
