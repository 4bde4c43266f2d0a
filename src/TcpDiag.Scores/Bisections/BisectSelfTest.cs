using System;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Scores.Bisections;

/// <summary>
/// Searches through chains of simulated builds whose truth is known: of each chain one build brings a change, and its runs have the luck of their seed and
/// noise of their own. Each search is made twice, once at a stretch and once with the journal written and read back after every run, as after an interruption.
/// </summary>
/// <param name="Noise">What lies between two runs of one seed.</param>
/// <param name="Change">The change, e.g. −0.15; 0 for chains without any.</param>
/// <param name="Seed">Seed of the chains.</param>
public sealed record BisectSelfTest(BisectNoise Noise, double Change, int Seed)
{
    /// <summary>Builds of a chain.</summary>
    public const int Builds = 20;

    // Seeds of one path differ by 28 % (docs/verification/compare.md); it is the same for both runs of a pair.
    const double Luck = 0.28;

    // Student's t with three degrees of freedom has a standard deviation of √3.
    const double StudentDeviation = 1.7320508075688772;

    /// <summary>Searches through one chain.</summary>
    /// <param name="chain">Its number.</param>
    /// <returns>What came of it.</returns>
    public BisectTrial Run(int chain)
    {
        int firstBad = Change == 0 ? Builds : Chance(chain, "where", 0).Next(1, Builds);
        BisectJournal start = Start();
        BisectJournal whole = Search(start, firstBad, chain, journal => journal);
        string text = BisectFile.Text(whole);
        string resumed = BisectFile.Text(Search(start, firstBad, chain, journal => BisectFile.Parse("journal", BisectFile.Text(journal))));
        Bisection search = Bisection.Of(whole);
        int runs = whole.Steps.Sum(step => step.Runs.Count);
        bool isRight = Change == 0 ? search.Status == BisectStatus.NoDifference : search.Status == BisectStatus.Found && search.Bad == firstBad;
        bool isWrong = Change == 0 ? search.Status is BisectStatus.Open or BisectStatus.Found : search.Status == BisectStatus.NoDifference
            || (search.Status == BisectStatus.Found && search.Bad != firstBad);
        return new BisectTrial(isRight, isWrong, string.Equals(text, resumed, StringComparison.Ordinal), runs);
    }

    static BisectJournal Start() => new(
        BisectJournal.CurrentSchema,
        [.. Enumerable.Range(1, Builds).Select(build => build.ToString("D2", CultureInfo.InvariantCulture))],
        ["simulated"],
        [],
        0.05,
        0.05,
        60,
        1,
        []);

    BisectJournal Search(BisectJournal journal, int firstBad, int chain, Func<BisectJournal, BisectJournal> interrupt)
    {
        for (Bisection search = Bisection.Of(journal); search.Status == BisectStatus.Open; search = Bisection.Of(journal))
        {
            (string item, long seed) = search.NextRun();
            double figure = Figure(int.Parse(item, CultureInfo.InvariantCulture) - 1, firstBad, chain, seed);
            journal = interrupt(journal.With(search.Current!, new BisectRun(item, seed, figure, null)));
        }

        return journal;
    }

    double Figure(int build, int firstBad, int chain, long seed)
    {
        double luck = Luck * Normal(Chance(chain, "seed", seed));
        double own = Noise.PairDeviation / Math.Sqrt(2) * Standard(Chance(chain, "run", (seed * Builds) + build));
        return 100 * (build >= firstBad ? 1 + Change : 1) * Math.Exp(luck + own);
    }

    double Standard(Random random) => Noise.IsHeavyTailed
        ? Normal(random) / Math.Sqrt(Enumerable.Range(0, 3).Sum(_ => Math.Pow(Normal(random), 2)) / 3) / StudentDeviation
        : Normal(random);

    static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    Random Chance(int chain, string what, long number)
    {
        const int prime = 16_777_619; // FNV-1a
        uint hash = 2_166_136_261;
        foreach (char c in string.Create(CultureInfo.InvariantCulture, $"{Seed}/{chain}/{what}/{number}"))
        {
            hash = unchecked((hash ^ c) * prime);
        }

        return new Random((int)hash);
    }
}

/// <summary>Noise between two runs of one seed.</summary>
/// <param name="PairDeviation">Standard deviation of a pair's log-ratio.</param>
/// <param name="IsHeavyTailed">Whether it has the tails of Student's t with three degrees of freedom; else it is normal.</param>
public sealed record BisectNoise(double PairDeviation, bool IsHeavyTailed);

/// <summary>What came of a search through a chain.</summary>
/// <param name="IsRight">Whether it found the build, or that there is none.</param>
/// <param name="IsWrong">Whether it named another; a search that stays undecided is neither.</param>
/// <param name="IsResumable">Whether the search that was interrupted after every run left the same journal.</param>
/// <param name="Runs">Runs it took.</param>
public sealed record BisectTrial(bool IsRight, bool IsWrong, bool IsResumable, int Runs);
