using TcpDiag.Analysis.Receiver;
using Xunit;

namespace TcpDiag.Analysis.Tests.Receiver;

/// <summary>The scale of a window whose SYNs were not captured, by what its sender had in flight: segments of 1448 bytes.</summary>
public sealed class ReceiveWindowTests
{
    const int Mss = 1448;

    // 500 << 6 is 32,000: 40,000 in flight need a shift of 7 at least, which is no proof that it is no more.
    [Fact]
    public void Flight_BeyondAScale_RulesItOut()
    {
        ReceiveWindow window = Granting(500);
        window.OnFlight(40_000, Mss);
        Assert.False(window.IsScaleKnown);
        Assert.Equal(500L << ReceiveWindow.MaxShift, window.MaxBytes);
    }

    // 500, 480 and 460 << 7 are 64,000, 61,440 and 58,880: each was filled to less than a segment, and they differ by more than one.
    [Fact]
    public void Windows_FullByOneScale_ShowIt()
    {
        ReceiveWindow window = Granting(500);
        window.OnFlight(63_712, Mss);
        window.OnSegment(480);
        window.OnFlight(60_816, Mss);
        Assert.False(window.IsScaleKnown);
        window.OnSegment(460);
        window.OnFlight(57_920, Mss);
        Assert.True(window.IsScaleKnown);
        Assert.Equal(460 << 7, window.Bytes);
    }

    // A send buffer of 63 kB beside a window that stays at 64 kB, but for less than a segment, looks just the same.
    [Fact]
    public void Window_OfOneSize_ShowsNothing()
    {
        ReceiveWindow window = Granting(500);
        for (int i = 0; i < 1000; i++)
        {
            window.OnSegment((ushort)(500 - (i % 3)));
            window.OnFlight(63_712, Mss);
        }

        Assert.False(window.IsScaleKnown);
    }

    // 149 << 7 is 19,072, thirteen segments and a part that was cut to fit.
    [Fact]
    public void Window_FullToTheByte_ShowsItsScale()
    {
        ReceiveWindow window = Granting(149);
        window.OnFlight(19_072, Mss);
        window.OnFlight(19_072, Mss);
        Assert.False(window.IsScaleKnown);
        window.OnFlight(19_072, Mss);
        Assert.True(window.IsScaleKnown);
        Assert.Equal(149 << 7, window.Bytes);
    }

    // 3620 << 3 is 28,960, twenty segments, as a congestion window has them; 144 << 7 is 18 kB, as a send buffer may be set to; 149 << 7 is a byte more.
    [Theory]
    [InlineData(3_620, 28_960)]
    [InlineData(144, 18_432)]
    [InlineData(149, 19_071)]
    public void Window_FullToTheByte_ShowsNothing_WhereAnythingElseMayEnd(ushort unscaled, int inFlight)
    {
        ReceiveWindow window = Granting(unscaled);
        for (int i = 0; i < 1000; i++)
        {
            window.OnFlight(inFlight, Mss);
        }

        Assert.False(window.IsScaleKnown);
        Assert.True(window.MayHaveBeenFull);
    }

    // 500 << 8 is 128,000. A recorder may put an event in front of the acknowledgment that it is of: 64,000 is 500 << 7, and no scale makes 500 of 500,001.
    [Fact]
    public void Stack_ThatSaysTheWindow_ShowsItsScale()
    {
        ReceiveWindow window = Granting(500);
        window.OnReported(64_000);
        window.OnReported(500_001);
        window.OnReported(0);
        window.OnReported(128_000);
        window.OnReported(128_000);
        Assert.False(window.IsScaleKnown);
        window.OnReported(128_000);
        Assert.True(window.IsScaleKnown);
        Assert.Equal(128_000, window.Bytes);
    }

    // 500 << 15 is beyond RFC 7323 §2.3.
    [Theory]
    [InlineData(500 << 15)]
    [InlineData(1_500)]
    [InlineData(250)]
    [InlineData(-500)]
    public void Stack_ThatSaysWhatNoScaleGives_ShowsNothing(int bytes)
    {
        ReceiveWindow window = Granting(500);
        for (int i = 0; i < 10; i++)
        {
            window.OnReported(bytes);
        }

        Assert.False(window.IsScaleKnown);
    }

    // 40,000 in flight: 500 << 7 leaves 24,000 free, and a larger scale still more. By 630 << 6, 40,320, it may have been full.
    [Theory]
    [InlineData(500, false)]
    [InlineData(630, true)]
    public void Window_WithRoomByTheLeastScale_WasNeverFull(ushort unscaled, bool mayBeFull)
    {
        ReceiveWindow window = Granting(unscaled);
        window.OnFlight(40_000, Mss);
        Assert.Equal(mayBeFull, window.MayHaveBeenFull);
    }

    // What was full by a scale that is ruled out later does not count.
    [Fact]
    public void Scale_RuledOut_BeginsAnew()
    {
        ReceiveWindow window = Granting(500);
        window.OnFlight(31_856, Mss); // << 6 is 32,000
        window.OnSegment(470);
        window.OnFlight(29_500, Mss); // 30,080
        window.OnSegment(440);
        window.OnFlight(32_000, Mss); // beyond 28,160
        window.OnSegment(485);
        window.OnFlight(61_000, Mss); // << 7 is 62,080
        window.OnSegment(470);
        window.OnFlight(59_500, Mss); // 60,160
        Assert.False(window.IsScaleKnown);
    }

    [Fact]
    public void Flight_BeyondEveryScale_IsNoProof()
    {
        ReceiveWindow window = Granting(1);
        window.OnFlight(int.MaxValue, Mss);
        window.OnSegment(2);
        window.OnFlight(int.MaxValue, Mss);
        window.OnSegment(3);
        window.OnFlight(int.MaxValue, Mss);
        window.OnSegment(4);
        window.OnFlight(int.MaxValue, Mss);
        Assert.False(window.IsScaleKnown);
    }

    static ReceiveWindow Granting(ushort unscaled)
    {
        ReceiveWindow window = default;
        window.Begin();
        window.OnSegment(unscaled);
        return window;
    }
}
