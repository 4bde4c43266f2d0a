namespace TcpDiag.Impairment;

/// <summary>
/// Which packets an impairment chooses: each with a probability, or one in every so many.
/// With a correlation c each packet repeats the choice made for the one before it with probability c and is drawn afresh otherwise: the share
/// of chosen packets stays the probability, neighbouring choices have autocorrelation c, and chosen packets come in runs of mean length 1/((1−c)(1−p)).
/// </summary>
/// <param name="Probability">0 … 1; ignored when <paramref name="Every"/> is set.</param>
/// <param name="Correlation">0 … below 1.</param>
/// <param name="Every">Chooses packets n, 2n, 3n …; 0 chooses by probability.</param>
public sealed record ChanceSettings(double Probability, double Correlation = 0, int Every = 0);
