using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Cli.Explain;
using TcpDiag.Report;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>The answer as lines: where it is, what to do, what it is not.</summary>
/// <param name="columns">Length of a line, at most.</param>
sealed class AnswerText(int columns)
{
    const int TicketLines = 10;
    const int TicketItems = 2;

    /// <summary>The whole answer.</summary>
    public IEnumerable<PlainLine> Of(CustomerAnswer answer) =>
    [
        .. Head(answer),
        .. answer.Steps is { } steps ? [Empty, .. Steps(steps)] : (IEnumerable<PlainLine>)[],
        .. List(answer.Points),
        .. List(answer.RuledOut),
        .. List(answer.Recorded),
        .. answer.More is { } more ? [Empty, .. Wrap(more)] : (IEnumerable<PlainLine>)[],
    ];

    /// <summary>Ten lines, at most, for a ticket: no names and addresses but those of the findings.</summary>
    public IEnumerable<string> Ticket(CustomerAnswer answer, string version) => Head(answer).Select(line => line.Text.Trim())
        .Concat((answer.Steps?.Steps ?? []).Take(TicketItems).Select(
        step => $"→ {Cut(step.Details.FirstOrDefault(detail => detail.IsCommand).Value ?? step.What)}"))
        .Concat((answer.RuledOut?.Items ?? []).Take(TicketItems).Select(item => $"≠ {Cut(item)}"))
        .Prepend($"tcpdiag {version}, troubleshoot").Take(TicketLines);

    static PlainLine Empty => new(string.Empty);

    IEnumerable<PlainLine> Head(CustomerAnswer answer) =>
    [
        .. Wrap(answer.Verdict, isHeading: true),
        .. answer.Facts.SelectMany(fact => PlainMarkdown.Wrap($"{fact.Name}: {fact.Value}.", columns, "  ", "    ")).Select(line => new PlainLine(line)),
    ];

    IEnumerable<PlainLine> Steps(AnswerSteps steps) =>
    [
        .. Wrap(steps.Heading, isHeading: steps.Steps.Count > 0),
        .. steps.Steps.SelectMany((step, i) => Step(step, i + 1)).Select(line => new PlainLine(line)),
    ];

    IEnumerable<string> Step(AnswerStep step, int number)
    {
        string head = FormattableString.Invariant($"{number,3}. ");
        string indent = new(' ', head.Length);
        int width = step.Details.Max(detail => detail.Name.Length) + ": ".Length;
        return PlainMarkdown.Wrap(step.What, columns, head, indent).Concat(step.Details.SelectMany(detail => PlainMarkdown.Wrap(
            detail.IsCommand ? $"`{detail.Value}`" : detail.Value, columns, indent + $"{detail.Name}:".PadRight(width), indent + new string(' ', width))));
    }

    IEnumerable<PlainLine> List(AnswerList? list) => list is null
        ? []
        :
        [
            Empty,
            .. Wrap(list.Heading, isHeading: true),
            .. list.Items.SelectMany(item => PlainMarkdown.Wrap(item, columns, "  - ", "    ")).Select(line => new PlainLine(line)),
        ];

    IEnumerable<PlainLine> Wrap(string text, bool isHeading = false) => PlainMarkdown.Wrap(text, columns).Select(line => new PlainLine(line, isHeading));

    // The mark and the blank in front take two.
    string Cut(string text) => SafeText.OneLine(text, columns - 2);
}
