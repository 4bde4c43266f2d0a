using TcpDiag.Wire;

namespace TcpDiag.Impairment.Decisions;

/// <summary>What a decision log says about its run.</summary>
/// <param name="StartedAt">When the run began.</param>
/// <param name="Seed">The seed.</param>
/// <param name="DelayErrorLimitNs">The limit of the delay error in nanoseconds that the run was to keep.</param>
/// <param name="Profile">The profile as text, so that the log tells by itself what was emulated; at most 64 KiB of UTF-8.</param>
public sealed record DecisionLogHeader(TraceTime StartedAt, ulong Seed, long DelayErrorLimitNs, string Profile);
