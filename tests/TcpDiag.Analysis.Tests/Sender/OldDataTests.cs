using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>Where what had been sent before a capture ends, if it began during a recovery.</summary>
public sealed class OldDataTests
{
    // 1000 bytes were SACKed; repairs go from hole to hole, and new data comes behind all of them.
    [Fact]
    public void Repairs_BeforeAllIsAcknowledged_AreOfOldData()
    {
        OldData old = default;
        old.OnSack(At(1000), At(0));
        old.OnJump(At(3000), At(500));
        old.OnJump(At(5000), At(2999));
        Assert.True(old.Covers(At(5000)));
        Assert.False(old.Covers(At(5001)));
    }

    // What is left out later was not captured.
    [Fact]
    public void Jump_AfterAllIsAcknowledged_LeavesOutWhatWasNotCaptured()
    {
        OldData old = default;
        old.OnSack(At(1000), At(0));
        old.OnJump(At(5000), At(1000));
        old.OnSack(At(9000), At(1000));
        Assert.False(old.Covers(At(1001)));
    }

    // Nothing was SACKed: the capture began with nothing under way.
    [Fact]
    public void Jump_WithoutSack_LeavesOutWhatWasNotCaptured()
    {
        OldData old = default;
        old.OnJump(At(5000), At(0));
        Assert.False(old.IsAny);
    }

    static SequenceNumber At(int offset) => new SequenceNumber(uint.MaxValue - 100) + offset;
}
