using System;
using System.Linq;
using TcpDiag.Scores.Bisections;
using Xunit;

namespace TcpDiag.Scores.Tests.Bisections;

public sealed class BisectionTests
{
    static readonly string[] Letters = ["a", "b", "c", "d", "e", "f", "g", "h"];

    // Of a … h the middle is d; bad, it leaves b and c, of which b is nearer to good.
    [Fact]
    public void ByHand_HalvesUntilOneIsLeft()
    {
        BisectJournal journal = Journal(Letters);
        Assert.Equal(("d", 3), (Bisection.Of(journal).Current, Bisection.Of(journal).StepsLeft));
        journal = journal.With("d", BisectVerdict.Bad);
        Assert.Equal(("b", 2), (Bisection.Of(journal).Current, Bisection.Of(journal).StepsLeft));
        journal = journal.With("b", BisectVerdict.Good);
        Assert.Equal(("c", 1), (Bisection.Of(journal).Current, Bisection.Of(journal).StepsLeft));
        Bisection found = Bisection.Of(journal.With("c", BisectVerdict.Good));
        Assert.Equal((BisectStatus.Found, "d", null), (found.Status, Letters[found.Bad], found.Current));
    }

    [Fact]
    public void Skipped_TheNextNearestIsTested_AndWhatIsLeftIsNamed()
    {
        BisectJournal journal = Journal(["a", "b", "c", "d"]).With("b", BisectVerdict.Skip);
        Assert.Equal("c", Bisection.Of(journal).Current);
        Bisection found = Bisection.Of(journal.With("c", BisectVerdict.Bad));
        Assert.Equal((BisectStatus.Found, 0, 2), (found.Status, found.Good, found.Bad));
    }

    // Two items, good and bad: the second is the first bad one without any step.
    [Fact]
    public void NothingBetween_IsFoundAtOnce() => Assert.Equal(BisectStatus.Found, Bisection.Of(Journal(["a", "b"])).Status);

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    [InlineData(7, 3)]
    [InlineData(8, 3)]
    [InlineData(9, 4)]
    [InlineData(19, 5)]
    public void Halvings_IsTheLogarithmRoundedUp(int items, int steps) => Assert.Equal(steps, Bisection.Halvings(items));

    // The ends first; good and bad in turn first, one seed a pair, the next seed for the next pair.
    [Fact]
    public void NextRun_TurnsTheOrderRound()
    {
        BisectJournal journal = Journal(Letters, "measure");
        string runs = string.Empty;
        for (int i = 0; i < 6; i++)
        {
            (string item, long seed) = Bisection.Of(journal).NextRun();
            runs += FormattableString.Invariant($"{item}{seed} ");
            journal = journal.With("h", new BisectRun(item, seed, 100, null));
        }

        Assert.Equal("a1 h1 h2 a2 a3 h3 ", runs);
    }

    [Fact]
    public void NextRun_BehindAVoidRun_IsANewPair()
    {
        BisectJournal journal = Journal(Letters, "measure").With("h", new BisectRun("a", 1, null, "failed"));
        Assert.Equal(("h", 2), Bisection.Of(journal).NextRun());
        Assert.Equal((0, 1), (Bisection.Of(journal).Outcomes[0].Test!.Pairs, Bisection.Of(journal).Outcomes[0].Test!.VoidRuns));
    }

    [Fact]
    public void Ends_ThatDoNotDiffer_LeaveNothingToSearch()
    {
        Bisection search = Bisection.Of(Measure(Journal(Letters, "measure"), _ => 100));
        Assert.Equal((BisectStatus.NoDifference, 1), (search.Status, search.Outcomes.Count));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(7)]
    public void Measured_FindsTheFirstBad_AndKeepsItsError(int firstBad)
    {
        Bisection search = Bisection.Of(Measure(Journal(Letters, "measure"), item => item >= firstBad ? 85 : 100));
        Assert.Equal((BisectStatus.Found, firstBad), (search.Status, search.Bad));

        // One step of the ends and three more, each with a quarter.
        Assert.All(search.Outcomes, outcome => Assert.Equal(0.05 / 4, outcome.Test!.Error, 12));
        Assert.DoesNotContain(search.Outcomes, outcome => outcome.Test!.IsBetween);
    }

    // Skipped steps took their part of the error; the rest shares what is left, and it is never used up.
    [Fact]
    public void Skipped_WhileMeasuring_TheErrorIsNeverExceeded()
    {
        BisectJournal journal = Measure(Journal(Letters, "measure"), item => item >= 7 ? 85 : 100, stopAt: 1);
        journal = journal.With("d", new BisectRun("a", 900, 100, null)).With("d", BisectVerdict.Skip);
        Bisection search = Bisection.Of(Measure(journal, item => item >= 7 ? 85 : 100));
        Assert.Equal((BisectStatus.Found, "h"), (search.Status, Letters[search.Bad]));
        Assert.InRange(search.Outcomes.Sum(outcome => outcome.Test!.Error), 0, 0.05);
    }

    // The middle of 100 and 80 is their geometric mean, 89.4: d and e are good by it, and yet not like a.
    [Fact]
    public void ChangeInTwoSteps_IsTold()
    {
        double[] figures = [100, 100, 100, 93, 93, 80, 80, 80];
        Bisection search = Bisection.Of(Measure(Journal(Letters, "measure"), item => figures[item]));
        Assert.Equal(BisectStatus.Found, search.Status);
        Assert.Contains(search.Outcomes, outcome => outcome.Test!.IsBetween);
    }

    // Exactly at the middle nothing can be decided: 90 of 100 and 81.
    [Fact]
    public void AtTheMiddle_StaysUndecided_UntilItIsTold()
    {
        double[] figures = [100, 100, 100, 90, 81, 81, 81, 81];
        BisectJournal journal = Measure(Journal(Letters, "measure"), item => figures[item]);
        Bisection search = Bisection.Of(journal);
        Assert.Equal((BisectStatus.Undecided, "d", 60), (search.Status, search.Current, search.Outcomes[^1].Test!.Pairs));
        Assert.Equal(BisectStatus.Open, Bisection.Of(journal with { MaxPairs = 61 }).Status);
        Assert.Null(search.FindObjection("d", BisectVerdict.Bad));
        Bisection told = Bisection.Of(Measure(journal.With("d", BisectVerdict.Bad), item => figures[item]));
        Assert.Equal((BisectStatus.Found, "d"), (told.Status, Letters[told.Bad]));
    }

    [Theory]
    [InlineData("a", BisectVerdict.Good, "First it is measured by how much h differs from a")]
    [InlineData("x", BisectVerdict.Good, "'x' is none of the items")]
    public void FindObjection_BeforeTheEndsAreMeasured(string item, BisectVerdict verdict, string objection) =>
        Assert.StartsWith(objection, Bisection.Of(Journal(Letters, "measure")).FindObjection(item, verdict), StringComparison.Ordinal);

    [Theory]
    [InlineData("d", BisectVerdict.Good, "d is known to be good already.")]
    [InlineData("b", BisectVerdict.Bad, "b is known to be good: only items between d and h are open.")]
    [InlineData("h", BisectVerdict.Skip, "h is known to be bad: only items between d and h are open.")]
    [InlineData("e", BisectVerdict.Bad, null)]
    public void FindObjection_OfWhatIsKnown(string item, BisectVerdict verdict, string? objection) =>
        Assert.Equal(objection, Bisection.Of(Journal(Letters).With("d", BisectVerdict.Good)).FindObjection(item, verdict));

    // A figure of 0 is nothing that came: far below all others, whatever they are.
    [Fact]
    public void NothingCame_IsBad() =>
        Assert.Equal((BisectStatus.Found, 3), Bisection.Of(Measure(Journal(Letters, "measure"), item => item >= 3 ? 0 : 100)) is var search
            ? (search.Status, search.Bad)
            : default);

    static BisectJournal Journal(string[] items, params string[] command) =>
        new(BisectJournal.CurrentSchema, items, command, [], 0.05, 0.05, 60, 1, []);

    static BisectJournal Measure(BisectJournal journal, Func<int, double> figure, int stopAt = int.MaxValue)
    {
        for (Bisection search = Bisection.Of(journal); search.Status == BisectStatus.Open; search = Bisection.Of(journal))
        {
            if (search.Outcomes.Count(outcome => !outcome.IsUnderWay) >= stopAt)
            {
                break;
            }

            (string item, long seed) = search.NextRun();
            journal = journal.With(search.Current!, new BisectRun(item, seed, figure(Array.IndexOf(Letters, item)), null));
        }

        return journal;
    }
}
