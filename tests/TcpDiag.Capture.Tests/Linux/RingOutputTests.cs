using System;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Linux;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux;

/// <summary>Pieces of 10 bytes, of which the first 2 are the head, in a ring of 80 bytes or 8 s.</summary>
public sealed class RingOutputTests : IDisposable
{
    const long Second = 1_000_000_000;

    readonly MemoryStream _output = new();
    readonly string _parent = Directory.CreateTempSubdirectory("tcpdiag-ring-").FullName;

    public void Dispose() => Directory.Delete(_parent, recursive: true);

    [Fact]
    public void CopyTo_SeveralPieces_KeepsTheHeadOfTheFirstOnly()
    {
        using RingOutput ring = Create();
        Write(ring, 0, "HHaaaaaaaa");
        Write(ring, 1, "HHbbbb");
        Write(ring, 2, "HHcc");

        Assert.Equal("HHaaaaaaaabbbbcc", Collect(ring));
        Assert.False(ring.HasForgotten);
    }

    [Fact]
    public void Begin_PieceIsOldEnough_IsGivenUp()
    {
        using RingOutput ring = Create();
        Write(ring, 0, "HHa");
        Write(ring, 1, "HHb");

        // The piece that began at 1 s reaches back far enough from 9 s on.
        Write(ring, 8, "HHc");
        Assert.Equal("HHabc", Collect(ring));
        Write(ring, 9, "HHd");
        Assert.Equal("HHbcd", Collect(ring));
        Assert.Equal((true, Second), (ring.HasForgotten, ring.OldestNanos));
    }

    [Fact]
    public void Begin_AllTogetherAreTooLarge_GivesUpTheOldest()
    {
        using RingOutput ring = Create();
        for (int i = 0; i < 9; i++)
        {
            Write(ring, 0, $"HH{i}{i}{i}{i}{i}{i}{i}{i}");
        }

        // 7 complete pieces of 10 bytes and the current one.
        Assert.StartsWith("HH11111111", Collect(ring), StringComparison.Ordinal);
        Assert.Equal(8, Directory.GetFiles(Folder).Length);
    }

    [Fact]
    public void IsDue_AnEighthOfTimeOrSize_IsEnough()
    {
        using RingOutput ring = Create();
        Write(ring, 0, "HH");

        Assert.False(ring.IsDue(Second - 1, 9));
        Assert.True(ring.IsDue(Second, 9));
        Assert.True(ring.IsDue(0, 10));
    }

    [Fact]
    public void Create_PiecesOfAnEarlierRecording_AreLeftAlone()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllText(Path.Combine(Folder, "000001.pcapng"), "kept");

        var exception = Assert.Throws<CaptureException>(Create);
        Assert.StartsWith($"{Folder} is there: pieces of a ring that an earlier recording did not come to collect.", exception.Message,
            StringComparison.Ordinal);
        Assert.Equal("kept", File.ReadAllText(Directory.GetFiles(Folder).Single()));
    }

    [Fact]
    public void Finish_SeveralPieces_AreOneFileAndNoFolder()
    {
        RingOutput ring = Create();
        Write(ring, 0, "HHaa");
        Write(ring, 1, "HHbb");
        ring.Finish();

        Assert.Equal("HHaabb", System.Text.Encoding.ASCII.GetString(_output.ToArray()));
        Assert.False(Directory.Exists(Folder));
        Assert.False(_output.CanWrite);
    }

    [Fact]
    public void Create_FolderIsTaken_DoesNotTouchTheOutput()
    {
        Directory.CreateDirectory(Folder);
        bool isOpened = false;

        Assert.Throws<CaptureException>(() => new RingOutput(new CaptureSettings { Match = new MatchAll(), IsRing = true, RingFolder = Folder }, () =>
        {
            isOpened = true;
            return Stream.Null;
        }));
        Assert.False(isOpened);
    }

    [Fact]
    public void Dispose_AfterAll_LeavesNoFolder()
    {
        using (RingOutput ring = Create())
        {
            Write(ring, 0, "HH");
        }

        Assert.False(Directory.Exists(Folder));
    }

    string Folder => Path.Combine(_parent, "x.ring");

    RingOutput Create() => new(Settings(), () => _output);

    CaptureSettings Settings() =>
        new() { Match = new MatchAll(), IsRing = true, MaxBytes = 80, RingTime = TimeSpan.FromSeconds(8), RingFolder = Folder };

    static void Write(RingOutput ring, long second, string text)
    {
        long previous = ring.Current is { } current ? new FileInfo(current.Path).Length : 0;
        using Stream piece = ring.Open();
        using var writer = new StreamWriter(piece);
        writer.Write(text);
        ring.Begin(second * Second, 2, previous);
    }

    static string Collect(RingOutput ring)
    {
        using var output = new MemoryStream();
        ring.CopyTo(output);
        return System.Text.Encoding.ASCII.GetString(output.ToArray());
    }
}

public sealed class SplitOutputTests
{
    const long Second = 1_000_000_000;

    [Fact]
    public void IsDue_Size_GoesByTheLengthOfThePiece()
    {
        SplitOutput split = Create(bytes: 100, time: null);
        split.Begin(0, headBytes: 10, previousBytes: 0);

        Assert.False(split.IsDue(1L << 60, 99));
        Assert.True(split.IsDue(0, 100));
        split.Begin(5, headBytes: 10, previousBytes: 103);
        split.Begin(9, headBytes: 10, previousBytes: 104);
        Assert.Equal(103 + 104, split.CompleteBytes);
    }

    [Fact]
    public void IsDue_Time_GoesByTheFirstRecordOfThePiece()
    {
        SplitOutput split = Create(bytes: null, TimeSpan.FromSeconds(2));
        split.Begin(Second, headBytes: 10, previousBytes: 0);

        Assert.False(split.IsDue((3 * Second) - 1, 1L << 40));
        Assert.True(split.IsDue(3 * Second, 0));
        split.Begin(3 * Second, headBytes: 10, previousBytes: 0);
        Assert.False(split.IsDue((5 * Second) - 1, 0));
    }

    static SplitOutput Create(long? bytes, TimeSpan? time) =>
        new(new CaptureSettings { Match = new MatchAll(), SplitBytes = bytes, SplitTime = time }, static () => Stream.Null);
}
