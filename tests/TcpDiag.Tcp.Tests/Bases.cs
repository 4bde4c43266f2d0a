using Xunit;

namespace TcpDiag.Tcp.Tests;

/// <summary>Where sequence numbers start, so that every rule is also tried where they wrap and where their sign turns.</summary>
static class Bases
{
    public static readonly uint[] Values = [1_000, 0xFFFF_FFFF - 2_500, 0xFFFF_FFFF, 0x7FFF_FFFF - 2_500];

    public static TheoryData<uint> All => [.. Values];
}
