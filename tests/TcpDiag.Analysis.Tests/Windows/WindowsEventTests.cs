using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Limits;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>Recorded connections told as Windows builds would tell them: packets and events find each other, and agree.</summary>
public sealed class WindowsEventTests
{
    const double Points = 0.05;

    static readonly int[] Builds = [14393, 19041, 22000, 22621, 26100];
    static readonly string[] Steady = ["s2-not-adapting", "s3-small-buffer", "s3-large-buffer", "s4-half-window", "s4-whole-window"];

    public static TheoryData<int, string> Stories => Each([.. Steady, "s1-adaptive"]);

    // Not s1: there the kernel cuts its window and undoes that between two samples, so that the window at each send is not known.
    public static TheoryData<int, string> SteadyStories => Each(Steady);

    [Theory]
    [MemberData(nameof(Stories))]
    public void PacketsAndEvents_AreOneConnection(int build, string recording)
    {
        Connection connection = Analyze(WindowsStory.Of(PathOf(recording), build)).Connections.Single();
        Assert.Equal(Evidence.Both, connection.Evidence);
        Assert.Equal(Evidence.Both, Sender(connection).Limits?.Evidence);
    }

    // Only the rundown at the end tells which connection the handle of all events before it is.
    [Theory]
    [MemberData(nameof(Stories))]
    public void Connection_OlderThanTheTrace_IsFoundByItsRundown(int build, string recording)
    {
        Connection connection = Analyze(WindowsStory.Of(PathOf(recording), build, isOlder: true)).Connections.Single();
        Assert.Equal(Evidence.Both, connection.Evidence);
        Assert.False(connection.IsHandshakeComplete);
    }

    [Theory]
    [MemberData(nameof(SteadyStories))]
    public void EventsAlone_GiveTheLimitsOfThePackets(int build, string recording)
    {
        string path = PathOf(recording);
        ConnectionDirection packets = Sender(Analyze(TraceFile.Open(path)).Connections.Single());
        ConnectionDirection events = Sender(Analyze(WindowsStory.Of(path, build, hasPackets: false)).Connections.Single());
        Assert.Equal(Evidence.Events, events.Limits?.Evidence);
        LimitState[] states = Enum.GetValues<LimitState>();
        bool agree = states.All(state => Math.Abs(Share(packets, state) - Share(events, state)) <= Points);
        Assert.True(agree, string.Join(", ", states.Select(state => $"{state} {Share(packets, state):P1} {Share(events, state):P1}")));
    }

    // Each segment's event comes before its packet and after the packet before, in the order of the stream.
    [Theory]
    [MemberData(nameof(Stories))]
    public void Events_StandBetweenThePacketsTheyExplain(int build, string recording)
    {
        WindowsStory story = WindowsStory.Of(PathOf(recording), build);
        using TraceReader reader = Open(story);
        List<SequenceNumber> told = [];
        List<SequenceNumber> explained = [];
        var record = default(TraceRecord);
        var packet = default(ParsedPacket);
        while (reader.TryRead(ref record))
        {
            if (record.Event is { Kind: StackEventKind.SegmentSent } sent && sent.TryGet(StackField.SeqNo, out long seq))
            {
                told.Add(new((uint)seq));
            }
            else if (record.Kind == TraceRecordKind.Packet && PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref packet)
                && packet.PayloadLength > 0 && explained.Count < told.Count && told[explained.Count] == packet.Sequence)
            {
                explained.Add(packet.Sequence);
            }
        }

        Assert.NotEmpty(story.Told);
        Assert.Equal(story.Told, told);
        Assert.Equal(story.Told, explained);
    }

    static TheoryData<int, string> Each(string[] recordings)
    {
        TheoryData<int, string> stories = [];
        foreach (int build in Builds)
        {
            foreach (string recording in recordings)
            {
                stories.Add(build, recording);
            }
        }

        return stories;
    }

    static TraceReader Open(WindowsStory story) =>
        TraceFile.Open(new MemoryTraceInput(story.File, "story.etl"), TraceFormat.Etl, TraceOpenOptions.Default);

    static TraceAnalysis Analyze(WindowsStory story) => Analyze(Open(story));

    static TraceAnalysis Analyze(TraceReader reader)
    {
        using (reader)
        {
            return TraceAnalyzer.Analyze(reader);
        }
    }

    static ConnectionDirection Sender(Connection connection) =>
        connection.FromClient.PayloadBytes > connection.FromServer.PayloadBytes ? connection.FromClient : connection.FromServer;

    static double Share(ConnectionDirection direction, LimitState state) =>
        direction.Limits is { } limits ? (double)limits.Times.In(state) / limits.Times.Total : throw new InvalidOperationException("not judged");

    static string PathOf(string recording) => Path.Combine(ProjectFolder.PathOf("tests", "fixtures", "stories"), recording + "-sender.pcapng");
}
