using System;
using System.IO;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Cli.Recording;
using Xunit;

namespace TcpDiag.Cli.Tests.Recording;

public sealed class RecordingProgressTests
{
    [Fact]
    public void Reached_Recording_IsWhenItIsAnnounced()
    {
        using var error = new StringWriter();
        using var invocation = new Invocation();
        var progress = new RecordingProgress(error, invocation) { Announcement = engine => $"recording tcp with {engine}; Ctrl-C stops" };

        progress.Chosen("netsh");
        progress.Reached(CaptureStep.Prepared);
        progress.Report("finishing the recording of yesterday, whose process has gone");
        progress.Reached(CaptureStep.Starting);
        Assert.DoesNotContain("Ctrl-C", error.ToString(), StringComparison.Ordinal);

        progress.Reached(CaptureStep.Recording);
        Assert.EndsWith("recording tcp with netsh; Ctrl-C stops\n", error.ToString().ReplaceLineEndings("\n"), StringComparison.Ordinal);
    }
}
