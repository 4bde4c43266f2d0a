using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Triggers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>Conditions of <c>--until</c> with real connections and processes; what they mean in detail is in TriggerWatchTests.</summary>
[SupportedOSPlatform("linux")]
public sealed class LinuxTriggerTests
{
    [RootFact("ip")]
    public void Run_ConnectionIsReset_StopsAndSaysWhich()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using BackgroundRecording recording = Record(network, port, new ResetSeen());

        Socket client = network.Connect(port);
        using Socket server = listener.Accept();
        client.LingerState = new(enable: true, seconds: 0);
        client.Dispose();

        CaptureSummary summary = recording.Wait();
        Assert.Equal(StopReason.Trigger, summary.StopReason);
        Assert.Contains($"{network.ServerAddress}:{port}", summary.Trigger!.What, StringComparison.Ordinal);
        Assert.Contains(recording.Packets(), packet => packet.Length > 0);
    }

    [RootFact("ip")]
    public void Run_ReceiverStopsReading_IsSlow()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using BackgroundRecording recording = Record(network, port, new GoodputBelow(1e6, TimeSpan.FromMilliseconds(400)));

        using Socket client = network.Connect(port);
        using Socket server = listener.Accept();
        client.Blocking = false;
        byte[] data = new byte[1 << 16];
        while (client.Send(data, 0, data.Length, SocketFlags.None, out _) > 0)
        {
        }

        CaptureSummary summary = recording.Wait();
        Assert.Equal((StopReason.Trigger, "goodput below 1mbit for 0.4s"), (summary.StopReason, summary.Trigger?.Condition));
        Assert.EndsWith(" bit/s for 0.4 s", summary.Trigger!.What, StringComparison.Ordinal);
    }

    [RootFact("ip")]
    public void Run_TracepointFires_Stops()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using BackgroundRecording recording = Record(network, port, new EventSeen("inet_sock_set_state"));

        using Socket client = network.Connect(port);

        Assert.Contains("(sock:inet_sock_set_state)", recording.Wait().Trigger!.What, StringComparison.Ordinal);
    }

    [RootFact("ip", "cat")]
    public void Run_ProcessExits_Stops()
    {
        using var network = new TestNetwork();
        using Process process = Process.Start(new ProcessStartInfo("cat") { RedirectStandardInput = true, UseShellExecute = false })!;
        using BackgroundRecording recording = Record(network, 9, new ProcessChange(IsStart: false, string.Empty, process.Id));

        process.StandardInput.Close();
        process.WaitForExit();

        Assert.Equal(FormattableString.Invariant($"process cat ({process.Id}) exited"), recording.Wait().Trigger?.What);
    }

    [RootFact("ip", "cat")]
    public void Run_NothingHappens_GoesOnAfterwardsOnlyForItsTime()
    {
        CaptureSettings settings = BackgroundRecording.At("tcp port 9", "lo") with { Duration = TimeSpan.FromMilliseconds(600), Until = [new ResetSeen()] };
        using LinuxRecorder recorder = LinuxRecorder.Open(settings, new MemoryStream());

        CaptureSummary summary = recorder.Run(default);
        Assert.Equal((StopReason.Duration, null), (summary.StopReason, summary.Trigger));
    }

    [Fact]
    public void Open_EventOfWindows_SaysWhatThereIs()
    {
        CaptureSettings settings = BackgroundRecording.At("tcp", "lo") with { Until = [new EventSeen("1351")] };

        var exception = Assert.Throws<CaptureException>(() => LinuxRecorder.Open(settings, Stream.Null));
        Assert.StartsWith("--until event 1351: not recorded here. On Linux these are: tcp_probe, tcp_retransmit_skb, ", exception.Message,
            StringComparison.Ordinal);
    }

    static BackgroundRecording Record(TestNetwork network, int port, TriggerCondition until) =>
        new(BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}")
            with
        { Until = [until], After = TimeSpan.FromMilliseconds(50) });
}
