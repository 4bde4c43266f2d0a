namespace TcpDiag.Tcp.Tests;

/// <summary>Durations in ns.</summary>
static class Units
{
    public const long Us = 1_000;
    public const long Ms = 1_000_000;
    public const long Second = 1_000_000_000;
}
