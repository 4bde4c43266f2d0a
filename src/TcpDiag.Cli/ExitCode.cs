namespace TcpDiag.Cli;

/// <summary>The exit codes that scripts rely on. Several inputs: the highest of 1, 4, 3, 0 in this order.</summary>
static class ExitCode
{
    /// <summary>Done.</summary>
    public const int Done = 0;

    /// <summary>The work could not be done.</summary>
    public const int Failed = 1;

    /// <summary>The command line was wrong.</summary>
    public const int Usage = 2;

    /// <summary>The check that was asked for did not hold.</summary>
    public const int CheckFailed = 3;

    /// <summary>Done, but the input was damaged or incomplete.</summary>
    public const int Damaged = 4;

    /// <summary>Interrupted by the user (128 + SIGINT).</summary>
    public const int Interrupted = 130;

    /// <summary>The exit code of a command that worked on several inputs.</summary>
    /// <param name="first">Code of one input.</param>
    /// <param name="second">Code of another.</param>
    /// <returns>The one that ranks higher.</returns>
    public static int Combine(int first, int second) => Rank(first) >= Rank(second) ? first : second;

    static int Rank(int code) => code switch
    {
        Interrupted => 5,
        Usage => 4,
        Failed => 3,
        Damaged => 2,
        CheckFailed => 1,
        _ => 0,
    };
}
