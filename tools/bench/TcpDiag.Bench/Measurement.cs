namespace TcpDiag.Bench;

/// <summary>What one run of a command took, start-up included.</summary>
/// <param name="Seconds">Wall-clock time.</param>
/// <param name="CpuSeconds">Processor time in user and kernel mode, of all threads.</param>
/// <param name="PeakMebibytes">Largest resident set (ru_maxrss).</param>
sealed record Measurement(double Seconds, double CpuSeconds, double PeakMebibytes);
