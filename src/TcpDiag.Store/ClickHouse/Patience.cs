using System;
using System.Security.Cryptography;
using System.Threading;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// How long a server that cannot be reached is asked again: after waits that double, each shortened by chance, so that many that lost it together do not come
/// back together.
/// </summary>
/// <param name="Tries">How often it is asked in all.</param>
/// <param name="First">The first wait, at most.</param>
sealed record Patience(int Tries, TimeSpan First)
{
    static readonly ManualResetEventSlim Never = new();

    // A server that does not answer takes its time to fail; then it is not asked again.
    static readonly TimeSpan Longest = TimeSpan.FromSeconds(8);

    /// <summary>What users wait for: about three seconds in all.</summary>
    public static Patience Usual { get; } = new(5, TimeSpan.FromMilliseconds(250));

    /// <summary>Asked once.</summary>
    public static Patience None { get; } = new(1, TimeSpan.Zero);

    /// <summary>Does work until it succeeds, or patience ends.</summary>
    /// <exception cref="StoreUnreachableException">It ended.</exception>
    public T Run<T>(Func<T> work)
    {
        long begun = TimeProvider.System.GetTimestamp();
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return work();
            }
            catch (StoreUnreachableException) when (attempt < Tries && TimeProvider.System.GetElapsedTime(begun) < Longest)
            {
                double longest = First.TotalMilliseconds * (1 << (attempt - 1));
                Never.Wait(TimeSpan.FromMilliseconds(longest * (0.5 + (RandomNumberGenerator.GetInt32(500) / 1000.0))));
            }
        }
    }
}
