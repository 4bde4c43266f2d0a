using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Tests.Generation;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>
/// Nearly all data is predicted, and only added to its burst. With a VLAN tag nothing is predicted: each segment is parsed and looked at. Nor are the first
/// thousand packets of a trace, which are compared with those of other capture points; so others stand in front here.
/// </summary>
public sealed class PredictionTests
{
    public static TheoryData<string> Captures => [.. Fixtures().Select(path => Path.GetRelativePath(ProjectFolder.PathOf("tests", "fixtures"), path))];

    [Theory]
    [MemberData(nameof(Captures))]
    public void Analyze_Capture_SaysTheSameAsWithoutPrediction(string capture)
    {
        string path = ProjectFolder.PathOf("tests", "fixtures", capture);
        using var plain = new LaterTrace(TraceFile.Open(path), StartOf(path), isTagged: false);
        using var tagged = new LaterTrace(TraceFile.Open(path), StartOf(path), isTagged: true);
        AssertSame(TraceAnalyzer.Analyze(plain), TraceAnalyzer.Analyze(tagged));
        Assert.True(tagged.RecordsRead > 0);
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(60, 60, 30)]
    public void Analyze_MadeUpTraffic_SaysTheSameAsWithoutPrediction(int losses, int reorderings, int spurious)
    {
        var plan = new TrafficPlan(50, 40) { LossPerMille = losses, ReorderingPerMille = reorderings, SpuriousPerMille = spurious };
        using var plain = new SyntheticTrace(plan);
        using var tagged = new LaterTrace(new SyntheticTrace(plan), default, isTagged: true, before: 0);
        AssertSame(TraceAnalyzer.Analyze(plain), TraceAnalyzer.Analyze(tagged));
    }

    static IEnumerable<string> Fixtures() => Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng", SearchOption.AllDirectories).Order();

    static TraceTime StartOf(string path)
    {
        using TraceReader reader = TraceFile.Open(path);
        TraceRecord record = default;
        do
        {
            Assert.True(reader.TryRead(ref record));
        }
        while (record.Kind != TraceRecordKind.Packet);

        return record.Time;
    }

    static void AssertSame(TraceAnalysis predicted, TraceAnalysis parsed)
    {
        Assert.Equal(TextsOf(predicted), TextsOf(parsed));
        Assert.Equal(predicted.Findings.Select(finding => $"{finding.Id} {finding.SecondsLost} {finding.Cause}"),
            parsed.Findings.Select(finding => $"{finding.Id} {finding.SecondsLost} {finding.Cause}"));
    }

    static IEnumerable<string> TextsOf(TraceAnalysis analysis) =>
        analysis.Connections.SelectMany(connection => new[] { connection.FromClient, connection.FromServer }).Select(TextOf);

    // A tag has four bytes.
    static string TextOf(ConnectionDirection direction) => string.Join(' ', [
        JsonSerializer.Serialize(direction with { FrameBytes = 0 }),
        .. Enum.GetValues<LimitState>().Select(state => $"{state} {direction.Limits?.Times.In(state)}"),
    ]);

    /// <summary>The same trace behind packets that are no IP; tagged, as another adapter would have recorded it: in a VLAN (IEEE 802.1Q).</summary>
    sealed class LaterTrace(TraceReader inner, TraceTime start, bool isTagged, int before = 1024) : TraceReader
    {
        const int AddressBytes = 12;
        const int TagBytes = 4;

        static readonly byte[] Other = new byte[60];

        byte[] _frame = [];
        int _before = before;

        public override string Path => inner.Path;

        public override TraceFormat Format => inner.Format;

        public override IReadOnlyList<TraceInterface> Interfaces => inner.Interfaces;

        public override SystemFacts System => inner.System;

        public override IReadOnlyList<TraceProblem> Problems => inner.Problems;

        public override long RecordsRead => inner.RecordsRead;

        public override bool TryRead(ref TraceRecord record)
        {
            if (_before > 0)
            {
                _before--;
                record = new TraceRecord
                {
                    Kind = TraceRecordKind.Packet,
                    Time = start,
                    Data = Other,
                    LinkType = LinkType.Ethernet,
                    OriginalLength = Other.Length
                };
                return true;
            }

            if (!inner.TryRead(ref record))
            {
                return false;
            }

            if (isTagged && record.Kind == TraceRecordKind.Packet && record.LinkType == LinkType.Ethernet)
            {
                _frame = [.. record.Data[..AddressBytes], 0x81, 0, 0, 1, .. record.Data[AddressBytes..]];
                record.Data = _frame;
                record.OriginalLength += TagBytes;
            }

            return true;
        }

        protected override void Dispose(bool disposing) => inner.Dispose();
    }
}
