using System;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Input;
using Xunit;

namespace TcpDiag.Traces.Tests.Input;

public sealed class InputWindowTests
{
    static byte At(long offset) => (byte)((offset * 31) ^ (offset >> 13));

    static byte[] Content(int length) => [.. Enumerable.Range(0, length).Select(i => At(i))];

    // Records of all sizes, small ones and some larger than the room in front of a chunk, across many chunks.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void TryFill_RecordsOfAllSizes_AreContiguousAndInOrder(bool isReadAhead)
    {
        byte[] content = Content(12_345_678);
        using var window = new InputWindow(new MemoryTraceInput(content), isReadAhead: isReadAhead);
        var random = new Random(3);
        long offset = 0;
        while (true)
        {
            int size = random.Next(10) == 0 ? random.Next(1, 3_000_000) : random.Next(1, 2000);
            if (!window.TryFill(size))
            {
                break;
            }

            Assert.Equal(offset, window.Offset);
            Assert.True(content.AsSpan((int)offset, size).SequenceEqual(window.Available[..size]));
            window.Advance(size);
            offset += size;
        }

        Assert.Equal(content.Length - offset, window.Available.Length);
        Assert.True(content.AsSpan((int)offset).SequenceEqual(window.Available));
    }

    // Pieces of any size, as a pipe brings them: all bytes come, and those of the first piece before the second is there.
    [Fact]
    public void TryFill_LiveInput_HandsOnWhatHasArrived()
    {
        byte[] content = Content(2_000_000);
        using var stream = new PieceStream(content, [100, 1, 65_536, 300_000, 7]);
        using var window = new InputWindow(new StreamInput("pipe", stream), isLive: true);
        Assert.True(window.TryFill(100));
        Assert.Equal(100, window.Available.Length);
        int offset = 0;
        for (int size = 1; window.TryFill(size); size = (size * 7 % 9001) + 1)
        {
            Assert.True(content.AsSpan(offset, size).SequenceEqual(window.Available[..size]));
            window.Advance(size);
            offset += size;
        }

        Assert.True(content.AsSpan(offset).SequenceEqual(window.Available));
    }

    [Fact]
    public void TrySkip_OverManyChunks_LandsExactly()
    {
        using var window = new InputWindow(new MemoryTraceInput(Content(5_000_000)));

        Assert.True(window.TrySkip(4_999_000));
        Assert.Equal(4_999_000, window.Offset);
        Assert.Equal(At(4_999_000), window.Available[0]);
        Assert.False(window.TrySkip(1001));
    }

    [Fact]
    public void TryFill_MoreThanThereIs_KeepsWhatIsThere()
    {
        using var window = new InputWindow(new MemoryTraceInput(Content(1_500_000)));

        Assert.False(window.TryFill(InputWindow.MaxBytes));
        Assert.Equal(1_500_000, window.Available.Length);
    }

    [Fact]
    public void TryFill_EmptyInput_IsAtItsEnd()
    {
        using var window = new InputWindow(new MemoryTraceInput(Array.Empty<byte>()));

        Assert.True(window.Available.IsEmpty);
        Assert.False(window.TryFill(1));
    }

    [Fact]
    public void Dispose_WhileReadingAhead_EndsAtOnce()
    {
        var window = new InputWindow(new MemoryTraceInput(Content(4_000_000)));
        Assert.True(window.TrySkip(1_100_000));
        window.Dispose();

        Assert.False(window.TryFill(1));
    }
}

/// <summary>A stream that gives its bytes in pieces of given sizes, again and again, as a pipe may.</summary>
sealed class PieceStream(byte[] content, int[] sizes) : MemoryStream(content)
{
    int _reads;

    public override int Read(Span<byte> buffer)
    {
        int size = sizes[_reads++ % sizes.Length];
        return base.Read(buffer[..Math.Min(size, buffer.Length)]);
    }
}
