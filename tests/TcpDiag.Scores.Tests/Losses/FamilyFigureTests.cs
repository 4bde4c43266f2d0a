using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Losses;

public sealed class FamilyFigureTests
{
    // Rates 1, 0.5 and 0, of which the second weighs half: (1 + 0.25 + 0)/2.5 = 0.5. One component of four was not exercised.
    [Fact]
    public void Figure_IsTheWeightedMeanOfWhatWasExercised()
    {
        FamilyFigure figure = FamilyFigure.Of(
            [Component("early", 100, 100), Component("late-within-srtt", 50, 100), Component("detection", 0, 100), Component("timeouts", 0, 0)],
            ScoreFamily.LossDetection)!;
        Assert.Equal(50, figure.Value, 6);
        Assert.Equal((3, 4), (figure.Exercised, figure.Components));

        // Wilson's ends are 0.963 of 1, 0.4038 … 0.5962 of 0.5, and 0.037 of 0: below √(0.037² + 0.0481²)/2.5 = 0.0243, above the same by symmetry.
        Assert.Equal(50 - 2.43, figure.Low, 1);
        Assert.Equal(50 + 2.43, figure.High, 1);
    }

    [Fact]
    public void Figure_OfNothingAndOfSlowStart_IsNone()
    {
        Assert.Null(FamilyFigure.Of([Component("timeouts", 0, 0)], ScoreFamily.LossDetection));
        Assert.Null(FamilyFigure.Of([Component("early", 1, 1) with { Family = ScoreFamily.SlowStartExit }], ScoreFamily.SlowStartExit));
    }

    static ScoreComponent Component(string id, long hits, long trials) => new()
    {
        Id = id,
        Family = ScoreFamily.LossDetection,
        Name = id,
        Clause = "RFC 8985",
        Rate = trials > 0 ? new Proportion(hits, trials) : null,
    };
}
