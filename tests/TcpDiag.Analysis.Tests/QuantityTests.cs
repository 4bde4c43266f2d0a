using TcpDiag.Analysis.Results;
using Xunit;

namespace TcpDiag.Analysis.Tests;

public sealed class QuantityTests
{
    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(999, "999 B")]
    [InlineData(1000, "1.00 kB")]
    [InlineData(12_345, "12.3 kB")]
    [InlineData(999_499, "999 kB")]
    [InlineData(999_500, "1.00 MB")] // rounds up to the next prefix, not to 1000 kB
    [InlineData(long.MaxValue, "9.22 EB")]
    public void Bytes_HaveThreeDigits(long bytes, string expected) => Assert.Equal(expected, Quantity.Bytes(bytes));

    [Theory]
    [InlineData(null, "-")]
    [InlineData(0d, "0")]
    [InlineData(94_123_456d, "94.1M")]
    [InlineData(9.996e9, "10.0G")]
    public void Rate_HasNoUnit(double? rate, string expected) => Assert.Equal(expected, Quantity.Rate(rate));

    [Theory]
    [InlineData(0, "0 s")]
    [InlineData(1, "0.00 µs")]
    [InlineData(12_345, "12.3 µs")]
    [InlineData(999_499, "999 µs")]
    [InlineData(999_500, "1.00 ms")]
    [InlineData(40_888_466, "40.9 ms")]
    [InlineData(61_500_000_000, "61.5 s")]
    [InlineData(-2_000_000, "-2.00 ms")]
    public void Duration_PicksItsUnit(long nanoseconds, string expected) => Assert.Equal(expected, Quantity.Duration(nanoseconds));
}
