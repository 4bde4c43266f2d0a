namespace TcpDiag.Tcp.Tests;

/// <summary>What a test holds: the RFC's rule, the behaviour through the public surface, or a detail that a refactor may delete.</summary>
static class Tier
{
    public const string Name = nameof(Tier);
    public const string Conformance = nameof(Conformance);
    public const string Behaviour = nameof(Behaviour);
    public const string Detail = nameof(Detail);
}
