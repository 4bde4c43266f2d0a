using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows;
using Xunit;

namespace TcpDiag.Capture.Tests.Windows;

/// <summary>The list of sessions against an answer made by hand as QueryAllTracesW gives it.</summary>
public sealed unsafe class EtwSessionListTests
{
    const int InvalidParameter = 87;
    const int MoreData = 234;

    readonly List<uint> _rooms = [];
    int _sessions;
    int _most = int.MaxValue;

    [Theory]
    [InlineData(0, "64")]
    [InlineData(64, "64")]
    [InlineData(65, "64 128")]
    [InlineData(256, "64 128 256")]
    public void Read_AnyNumberOfSessions_TakesThemAll(int sessions, string rooms)
    {
        _sessions = sessions;

        List<EtwSession>? read = EtwSessionList.Read(Answer);
        Assert.Equal(Enumerable.Range(0, sessions).Select(i => $"session {i}"), read!.Select(session => session.Name));
        Assert.Equal(rooms, string.Join(' ', _rooms));
    }

    [Fact]
    public void Read_WindowsThatHasRoomFor64_IsAskedForNoMore()
    {
        (_sessions, _most) = (64, 64);

        Assert.Equal(64, EtwSessionList.Read(Answer)!.Count);
    }

    [Fact]
    public void Read_SystemThatNeverHasEnough_EndsWithoutAList()
    {
        _sessions = int.MaxValue;

        Assert.Null(EtwSessionList.Read(Answer));
        Assert.Equal([64U, 128, 256, 512, 1024], _rooms);
    }

    [Fact]
    public void Read_Refused_EndsWithoutAList()
    {
        _most = 0;

        Assert.Null(EtwSessionList.Read(Answer));
        Assert.Single(_rooms);
    }

    [Fact]
    public void Read_Session_HasItsFileAndItsLosses()
    {
        _sessions = 8;

        // 3 buffers of 64 kB were written.
        Assert.Equal(new(@"session 7", @"C:\7.etl", 11, 13, 3 * 64 * 1024), EtwSessionList.Read(Answer)![7]);
    }

    // Offsets in EVENT_TRACE_PROPERTIES of a 64-bit process: evntrace.h.
    int Answer(byte** properties, uint count, out uint found)
    {
        _rooms.Add(count);
        found = (uint)_sessions;
        if (count > _most)
        {
            return InvalidParameter;
        }

        for (int i = 0; i < Math.Min(count, _sessions); i++)
        {
            var one = new Span<byte>(properties[i], EtwSessionList.Length);
            int name = MemoryMarshal.Read<int>(one[116..]);
            int file = MemoryMarshal.Read<int>(one[112..]);
            Assert.Equal((EtwSessionList.Length, 120, 120 + 2048), (MemoryMarshal.Read<int>(one), name, file));
            MemoryMarshal.AsBytes(FormattableString.Invariant($"session {i}").AsSpan()).CopyTo(one[name..]);
            MemoryMarshal.AsBytes(FormattableString.Invariant($@"C:\{i}.etl").AsSpan()).CopyTo(one[file..]);
            foreach ((int offset, int value) in ((int, int)[])[(48, 64), (88, 11), (92, 3), (96, 13)])
            {
                MemoryMarshal.Write(one[offset..], value);
            }
        }

        return count < _sessions ? MoreData : 0;
    }
}
