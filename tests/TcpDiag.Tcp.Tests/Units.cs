using Xunit;

namespace TcpDiag.Tcp.Tests;

/// <summary>Durations in ns.</summary>
static class Units
{
    public const long Us = 1_000;
    public const long Ms = 1_000_000;
    public const long Second = 1_000_000_000;
}

/// <summary>Where sequence numbers start, so that every rule is also tried where they wrap and where their sign turns.</summary>
static class Bases
{
    public static readonly uint[] Values = [1_000, 0xFFFF_FFFF - 2_500, 0xFFFF_FFFF, 0x7FFF_FFFF - 2_500];

    public static TheoryData<uint> All => [.. Values];
}

/// <summary>What a test holds: the RFC's rule, the behaviour through the public surface, or a detail that a refactor may delete.</summary>
static class Tier
{
    public const string Name = nameof(Tier);
    public const string Conformance = nameof(Conformance);
    public const string Behaviour = nameof(Behaviour);
    public const string Detail = nameof(Detail);
}
