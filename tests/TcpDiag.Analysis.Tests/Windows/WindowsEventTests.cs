using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>Recorded connections told as Windows builds would tell them: packets and events find each other, and agree.</summary>
public sealed class WindowsEventTests
{
    const double Points = 0.05;

    // The event of the segments sent has had the most layouts.
    const int MaxAge = 5;

    // The last one is there for the event that only it has (1637).
    static readonly int[] Builds = [14393, 19041, 22000, 22621, 26100, 26200];
    static readonly string[] Recordings = ["s1-adaptive", "s1-fixed", "s2-not-adapting", "s3-small-buffer", "s3-large-buffer", "s4-half-window",
        "s4-whole-window"];

    public static TheoryData<int, string> Stories
    {
        get
        {
            TheoryData<int, string> stories = [];
            foreach (int build in Builds)
            {
                foreach (string recording in Recordings)
                {
                    stories.Add(build, recording);
                }
            }

            return stories;
        }
    }

    public static TheoryData<int> EachBuild => new(Builds);

    [Theory]
    [MemberData(nameof(Stories))]
    public void PacketsAndEvents_AreOneConnection(int build, string recording)
    {
        foreach (StoryPackets packets in (StoryPackets[])[StoryPackets.Ndis, StoryPackets.PktMon])
        {
            Connection connection = Analyze(WindowsStory.Of(PathOf(recording), new(build) { Packets = packets })).Connections.Single();
            Assert.Equal(Evidence.Both, connection.Evidence);
            Assert.Equal(Evidence.Both, Sender(connection).Limits?.Evidence);
            Assert.Equal(PacketsIn(recording), connection.FromClient.Packets + connection.FromServer.Packets);
        }
    }

    // Only the rundown at the end tells which connection the handle of all events before it is.
    [Theory]
    [MemberData(nameof(Stories))]
    public void Connection_OlderThanTheTrace_IsFoundByItsRundown(int build, string recording)
    {
        Connection connection = Analyze(WindowsStory.Of(PathOf(recording), new(build) { IsOlder = true })).Connections.Single();
        Assert.Equal(Evidence.Both, connection.Evidence);
        Assert.False(connection.IsHandshakeComplete);
    }

    [Theory]
    [MemberData(nameof(Stories))]
    public void EventsAlone_GiveTheLimitsOfThePackets(int build, string recording) => AssertSameLimits(new(build), recording);

    // Whatever version of its events a build logs.
    [Theory]
    [MemberData(nameof(EachBuild))]
    public void EventsAlone_InEarlierLayouts_GiveTheLimitsOfThePackets(int build)
    {
        for (int age = 1; age <= MaxAge; age++)
        {
            AssertSameLimits(new(build) { Age = age }, "s3-small-buffer");
            AssertSameLimits(new(build) { Age = age }, "s4-half-window");
        }
    }

    [Theory]
    [MemberData(nameof(EachBuild))]
    public void Stories_TellEveryVersionOfTheirEvents(int build)
    {
        HashSet<(Guid Provider, int Id, int Version)> written = [];
        for (int age = 0; age <= MaxAge; age++)
        {
            written.UnionWith(WindowsStory.Of(PathOf("s1-fixed"), new(build) { Age = age, Packets = StoryPackets.None }).Written);
        }

        int index = SchemaCatalog.Bundled.IndexOfBuild(build);
        IEnumerable<(Guid, int, int)> known = written.Select(one => (one.Provider, one.Id)).Distinct()
            .SelectMany(one => SchemaCatalog.Bundled.Provider(one.Provider)!.WithId(one.Id).ToArray().Where(layout => layout.IsIn(index)).Select(
            layout => (one.Provider, one.Id, layout.Version)));
        Assert.Equal(known.Order(), written.Order());
    }

    // The header counts what was lost, and nobody knows where: what events tell of limits is withheld, what packets tell is not.
    [Theory]
    [InlineData(9, 0, "the recorder lost 9 events")]
    [InlineData(0, 2, "the recorder lost 2 buffers of events")]
    public void EventsLost_LimitsByEvents_AreWithheld(uint events, uint buffers, string what)
    {
        string path = PathOf("s3-small-buffer");
        StoryOptions options = new(26100) { LostEvents = events, LostBuffers = buffers };

        TraceAnalysis alone = Analyze(WindowsStory.Of(path, options with { Packets = StoryPackets.None }));
        Assert.Null(Sender(alone.Connections.Single()).Limits);
        TraceAnalysis both = Analyze(WindowsStory.Of(path, options));
        Assert.Equal(Evidence.Packets, Sender(both.Connections.Single()).Limits?.Evidence);
        Assert.Contains(both.Findings, finding => string.Equals(finding.Title, $"The trace is not complete: {what}.", StringComparison.Ordinal));
    }

    // Two recordings read as one: of the first the third buffer is missing, which concerns its connection and not that of the other, ten seconds later.
    [Fact]
    public void BuffersLost_ByTheirNumbers_ConcernThatTimeAlone()
    {
        StoryOptions options = new(26100) { Packets = StoryPackets.None };
        string folder = Directory.CreateTempSubdirectory("tcpdiag-losses-").FullName;
        string[] paths = [Path.Join(folder, "losing.etl"), Path.Join(folder, "whole.etl")];
        try
        {
            File.WriteAllBytes(paths[0], WindowsStory.Of(PathOf("s1-adaptive"), options with { LostBuffers = 1, MissingBuffer = 3 }).File);
            File.WriteAllBytes(paths[1], WindowsStory.Of(PathOf("s1-fixed"), options).File);
            TraceAnalysis analysis = Analyze(TraceFile.Open(paths));

            Connection[] connections = [.. analysis.Connections.OrderBy(connection => connection.Start)];
            Assert.Equal(2, connections.Length);
            Assert.Null(Sender(connections[0]).Limits);
            Assert.Equal(Evidence.Events, Sender(connections[1]).Limits?.Evidence);
            Assert.Matches("^The trace is not complete: the recorder lost 1 buffer of events, between [0-9.]+ m?s and [0-9.]+ m?s.$",
                analysis.Findings.Single(finding => finding.Id is FindingIds.CaptureIncomplete).Title);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    // Its DSACKs come back, and the build that takes no notice of them says so in its own events.
    [Theory]
    [InlineData(22000, true)]
    [InlineData(22621, false)]
    [InlineData(19041, false)] // tells nothing of them
    public void DsacksOnTheWire_NotCountedByTheStack_AreAFinding(int build, bool isFound)
    {
        TraceAnalysis analysis = Analyze(WindowsStory.Of(PathOf("s1-fixed"), new(build)));
        Assert.True(Sender(analysis.Connections.Single()).Dsacks >= 3);
        Assert.Equal(isFound, analysis.Findings.Any(finding => finding.Id is FindingIds.DsackIgnored));
    }

    // Whatever was asked on the network: the process itself says how long it waited.
    [Theory]
    [MemberData(nameof(EachBuild))]
    public void NameLookup_OfTheProcess_IsWhatItsConnectionWaitedFor(int build)
    {
        TraceAnalysis analysis = Analyze(WindowsStory.Of(PathOf("s3-large-buffer"), new(build) { NameWait = 800_000_000 }));
        Assert.Equal(new LookupDelay(800_000_000, "files.example", 0, 1, true, true, 1), analysis.Connections.Single().Lookup);
        Assert.Contains(analysis.Findings, found => found is { Id: FindingIds.NameLookupDelay, SecondsLost: 0.8 });
    }

    // Each segment's event comes before its packet and after the packet before, in the order of the stream.
    [Theory]
    [MemberData(nameof(Stories))]
    public void Events_StandBetweenThePacketsTheyExplain(int build, string recording)
    {
        var story = WindowsStory.Of(PathOf(recording), new(build));
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

    static void AssertSameLimits(StoryOptions options, string recording)
    {
        string path = PathOf(recording);
        ConnectionDirection packets = Sender(Analyze(TraceFile.Open(path)).Connections.Single());
        ConnectionDirection events = Sender(Analyze(WindowsStory.Of(path, options with { Packets = StoryPackets.None })).Connections.Single());
        Assert.Equal(Evidence.Events, events.Limits?.Evidence);
        LimitState[] states = Enum.GetValues<LimitState>();
        bool agree = states.All(state => Math.Abs(Share(packets, state) - Share(events, state)) <= Points);
        Assert.True(agree, $"{recording}, {options}: " + string.Join(", ",
            states.Select(state => $"{state} {Share(packets, state):P1} {Share(events, state):P1}")));
    }

    static long PacketsIn(string recording)
    {
        Connection connection = Analyze(TraceFile.Open(PathOf(recording))).Connections.Single();
        return connection.FromClient.Packets + connection.FromServer.Packets;
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
