using System.Collections.Generic;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>The answer in the words of a language, before it is laid out for a terminal, a file, or a browser.</summary>
/// <param name="Language">The language, as HTML names it.</param>
/// <param name="Verdict">Where it is, a sentence.</param>
sealed record CustomerAnswer(string Language, string Verdict)
{
    /// <summary>What the cause is, what it cost, how sure that is.</summary>
    public IReadOnlyList<AnswerFact> Facts { get; init; } = [];

    /// <summary>What to do, in order; null where nothing was recorded.</summary>
    public AnswerSteps? Steps { get; init; }

    /// <summary>What it is not.</summary>
    public AnswerList? RuledOut { get; init; }

    /// <summary>What recordings of several points show together; null where there is one.</summary>
    public AnswerList? Points { get; init; }

    /// <summary>What was recorded; null where a recording was given.</summary>
    public AnswerList? Recorded { get; init; }

    /// <summary>Where more can be read about the cause.</summary>
    public string? More { get; init; }
}

/// <summary>Something about the answer.</summary>
/// <param name="Name">What it is.</param>
/// <param name="Value">A clause.</param>
readonly record struct AnswerFact(string Name, string Value);

/// <summary>What to do.</summary>
/// <param name="Heading">What stands above; where there are no steps, that there are none.</param>
/// <param name="Steps">The steps, in order.</param>
sealed record AnswerSteps(string Heading, IReadOnlyList<AnswerStep> Steps);

/// <summary>A step.</summary>
/// <param name="What">What to do, and why.</param>
/// <param name="Details">The command, what takes it back, and who can do it.</param>
sealed record AnswerStep(string What, IReadOnlyList<AnswerDetail> Details);

/// <summary>How a step is done.</summary>
/// <param name="Name">What it is: command, undo, who.</param>
/// <param name="Value">The command, or who.</param>
/// <param name="IsCommand">Whether it is to be typed as it stands.</param>
readonly record struct AnswerDetail(string Name, string Value, bool IsCommand);

/// <summary>Some sentences.</summary>
/// <param name="Heading">What stands above.</param>
/// <param name="Items">The sentences.</param>
sealed record AnswerList(string Heading, IReadOnlyList<string> Items);
