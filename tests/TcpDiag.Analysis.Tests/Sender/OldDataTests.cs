using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>Where what had been sent before a capture ends, if it began during a recovery.</summary>
public sealed class OldDataTests
{
    // 1000 bytes were SACKed. Right behind them comes a repair of the rest or new data: only new data leaves something out.
    [Fact]
    public void NewData_BeginsBehindARepairOfWhatHadBeenSent()
    {
        OldData old = default;
        old.OnSack(At(1000));
        old.OnJump(At(1000));
        Assert.False(old.Covers(At(1001)));
        old.OnJump(At(5000));
        Assert.True(old.Covers(At(5000)));
        Assert.False(old.Covers(At(5001)));
    }

    // What is left out later was not captured.
    [Fact]
    public void End_IsThatOfTheFirstNewData()
    {
        OldData old = default;
        old.OnSack(At(1000));
        old.OnJump(At(5000));
        old.OnJump(At(9000));
        old.OnSack(At(9000));
        Assert.False(old.Covers(At(5001)));
    }

    // Nothing was SACKed: the capture began with nothing under way.
    [Fact]
    public void Jump_WithoutSack_LeavesOutWhatWasNotCaptured()
    {
        OldData old = default;
        old.OnJump(At(5000));
        Assert.False(old.IsAny);
    }

    static SequenceNumber At(int offset) => new SequenceNumber(uint.MaxValue - 100) + offset;
}
