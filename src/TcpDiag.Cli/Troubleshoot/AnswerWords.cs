using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Doctor;
using TcpDiag.Doctor.Answers;
using TcpDiag.Doctor.Changes;
using TcpDiag.Report;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Puts an answer into words. What comes from traces and machines is made one line of visible characters here.</summary>
/// <param name="sentences">The language.</param>
sealed class AnswerWords(Sentences sentences)
{
    const int MaxOthers = 3;
    const double NanosPerSecond = 1e9;

    /// <summary>Whether it is said how steps are done by this program.</summary>
    public bool IsApplyOffered { get; init; }

    /// <summary>What recordings of several points show together; null where there is one.</summary>
    public AnswerList? Points { get; init; }

    /// <summary>The answer in words.</summary>
    /// <param name="diagnosis">The answer.</param>
    /// <param name="recorded">What was recorded, sentences; null where a recording was given.</param>
    public CustomerAnswer Of(Diagnosis diagnosis, IReadOnlyList<string>? recorded = null)
    {
        AnswerList? recording = recorded is null ? null : new(sentences.Of("recorded"), [.. recorded.Select(Safe)]);
        return diagnosis is { Connections: 0, Suspect: null }
            ? new(sentences.Language, sentences.Of("none")) { Recorded = recording }
            : new(sentences.Language, sentences.Of($"side.{Name(diagnosis.Side)}"))
            {
                Facts = [.. Facts(diagnosis).Select(fact => fact with { Value = Safe(fact.Value) })],
                Steps = new(sentences.Of(Heading(diagnosis)), [.. diagnosis.Steps.Select((step, i) => Step(WithoutRepeating(diagnosis, step), i + 1))]),
                RuledOut = diagnosis.RuledOut.Count == 0 ? null : new(sentences.Of("out"), [.. diagnosis.RuledOut.Select(item => Safe(Sentence(item)))]),
                Points = Points,
                Recorded = recording,
                More = diagnosis.Cause is { } cause ? sentences.Of("more", cause.Id) : null,
            };
    }

    static string Heading(Diagnosis diagnosis) => diagnosis.Steps.Count > 0 ? "steps" : diagnosis.Side is Side.Unclear ? "steps.unclear" : "steps.none";

    IEnumerable<AnswerFact> Facts(Diagnosis diagnosis)
    {
        if (diagnosis.Cause is { } cause)
        {
            yield return new(sentences.Of("cause"), sentences.Finding(cause.Id));
            yield return new(sentences.Of("cost"), diagnosis.SecondsLost switch
            {
                null => sentences.Of("cost.unknown"),
                0 => sentences.Of("cost.none"),
                { } lost => sentences.Of("cost.of", Duration(lost), Duration(Math.Max(diagnosis.SecondsOf, lost))),
            });
            yield return new(sentences.Of("sure"), cause.Confidence.ToString("0 %", sentences.Numbers));
        }

        if (diagnosis.Suspect is { } suspect)
        {
            yield return new(sentences.Of("cause"), sentences.Say(suspect.Found));
        }

        yield return new(sentences.Of("seen"), sentences.Of("seen.what", diagnosis.Connections, new Figure(Quantity.Bytes(diagnosis.Bytes))));
        if (diagnosis.Others.Count > 0)
        {
            yield return new(sentences.Of("others"), string.Join("; ", diagnosis.Others.Take(MaxOthers).Select(finding => sentences.Finding(finding.Id))));
        }
    }

    /// <summary>A step in words.</summary>
    /// <param name="step">The step.</param>
    /// <param name="number">Its number in an answer; 0 where it stands alone.</param>
    public AnswerStep Step(Remedy step, int number = 0) => new(
        Safe(step.Because is { } because ? $"{Capital(because)}. {sentences.Say(step.What)}" : sentences.Say(step.What)),
        [
            .. step.Command is { } command ? [new(sentences.Of("steps.command"), Safe(command), IsCommand: true)] : (AnswerDetail[])[],
            .. step.Undo is { } undo ? [new(sentences.Of("steps.undo"), Safe(undo), IsCommand: true)] : (AnswerDetail[])[],
            new(sentences.Of("steps.who"), sentences.Of($"who.{Name(step.Who)}"), IsCommand: false),
            .. IsApplyOffered && step.Changes.Count > 0 && step.Changes.All(AppliedSettings.Allow)
                ? [new(sentences.Of("steps.apply"), sentences.Of("steps.apply.what", number), IsCommand: false)]
                : (AnswerDetail[])[],
        ]);

    // What stands for the cause is said once.
    static Remedy WithoutRepeating(Diagnosis diagnosis, Remedy step) =>
        step.Because is { } because && because.Equals(diagnosis.Suspect?.Found) ? step with { Because = null } : step;

    // A name in front stays as it is written: near0.
    string Capital(Message message)
    {
        string text = sentences.Say(message);
        return message.Template.StartsWith('{') ? text : char.ToUpperInvariant(text[0]) + text[1..];
    }

    string Sentence(RuledOut item) => sentences.Of($"out.{item.What}", sentences.Say(item.Evidence));

    static Figure Duration(double seconds) => new(Quantity.Duration((long)(seconds * NanosPerSecond)));

    static string Safe(string text) => SafeText.OneLine(text);

    // The name of a value in the resources: thisComputer.
    static string Name<T>(T value)
        where T : struct, Enum
    {
        string name = value.ToString();
        return char.ToLowerInvariant(name[0]) + name[1..];
    }
}
