using System;
using System.IO;
using Spectre.Console;
using TcpDiag.Capture;
using TcpDiag.Cli.Recording;
using TcpDiag.Lab.Results;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Cli.Tests.Recording;

/// <summary>Losses of a recording, in the document, for people, and for an experiment.</summary>
public sealed class CaptureDocumentsTests
{
    [Theory]
    [InlineData("netsh", true, 0, 0, 0L, 0L, true)]
    [InlineData("netsh", true, 3, 0, 3L, 0L, false)]
    [InlineData("netsh", true, 0, 7, 0L, 7L, false)]
    [InlineData("netsh", false, 3, 0, 3L, 0L, false)]
    [InlineData("linux", true, 3, 0, 3L, null, false)]
    [InlineData("linux", false, 0, 0, null, null, true)]
    public void ToDocument_Losses_MakeItIncomplete(string engine, bool withEvents, long events, long buffers, long? lostEvents, long? lostBuffers,
        bool isComplete)
    {
        CaptureDocument document = Document(engine, withEvents, events, buffers);

        Assert.Equal((lostEvents, lostBuffers, isComplete), (document.LostEvents, document.LostBuffers, document.IsComplete));
    }

    [Fact]
    public void ToDocument_LostBuffers_AreToldAndVoidAnExperiment()
    {
        CaptureDocument document = Document("pktmon", withEvents: true, events: 2, buffers: 7);
        using StringWriter json = new();
        CaptureJson.Write(json, document);
        using StringWriter text = new();
        CaptureReport.Write(AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, Out = new AnsiConsoleOutput(text) }), document);

        Assert.Empty(JsonSchema.Read("capture.json").Check(json.ToString()));
        Assert.Equal("The capture at the sender lost 0 packets, 2 events and 7 buffers of them.", CaptureFigures.Read(json.ToString()).FindFault("sender"));
        Assert.Contains("  7 buffers LOST, with all the packets and events in them\n", text.ToString(), StringComparison.Ordinal);
    }

    static CaptureDocument Document(string engine, bool withEvents, long events, long buffers) => CaptureDocuments.ToDocument(
        new()
        {
            Engine = engine,
            Started = new TraceTime(0),
            Duration = TimeSpan.FromSeconds(1),
            StopReason = StopReason.Duration,
            Bytes = 1,
            Interfaces = [],
            Events = 1,
            Samples = 0,
            LostEvents = events,
            LostBuffers = buffers,
            OutOfOrder = 0,
            Remarks = [],
        },
        new() { Match = new MatchAll(), WithEvents = withEvents },
        "t.etl");
}
