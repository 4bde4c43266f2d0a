using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Finish;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Triggers;
using TcpDiag.Capture.Windows;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.StandIns;

/// <summary>The recorder in its own process, on a machine of stand-ins. What happens is printed a line each.</summary>
static class Recorder
{
    /// <summary>Records.</summary>
    /// <param name="state">The machine.</param>
    /// <param name="root">Holds the folders of recordings.</param>
    /// <param name="output">The result.</param>
    /// <param name="options">take-over, ring, split, no-events, interface=NAME, ring-time=SECONDS, snapshot, until-reset, until-eof,
    /// interrupt-snapshot, interrupt-at=STEP, held, held-briefly, engine=NAME or auto, process=NAME, for=MILLISECONDS, kill-at=STEP.</param>
    /// <returns>0 for a whole result, 4 for another, 1 for none, 130 for one that was interrupted before it began.</returns>
    public static int Record(MachineState state, string root, string output, string[] options) => Guard(() =>
    {
        var settings = new CaptureSettings
        {
            Match = MatchParser.Parse("tcp host 10.0.0.1" + (Value(options, "process") is { } process ? " process " + process : string.Empty)),
            Duration = TimeSpan.FromMilliseconds(int.Parse(Value(options, "for") ?? "10", CultureInfo.InvariantCulture)),
            MaxBytes = 1 << 20,
            IsRing = options.Contains("ring"),
            RingTime = Value(options, "ring-time") is { } seconds ? TimeSpan.FromSeconds(int.Parse(seconds, CultureInfo.InvariantCulture)) : null,
            SplitBytes = options.Contains("split") ? 1 << 20 : null,
            Interfaces = [new(Value(options, "interface") ?? CaptureInterface.Any)],
            WithEvents = !options.Contains("no-events"),
            Until = options.Contains("until-reset") ? [new ResetSeen()] : [],
            After = TimeSpan.Zero,
        };
        var machine = new StandInMachine(state);
        var choice = EngineChoice.Make(Value(options, "engine") ?? "netsh", state.Build);
        var request = new CaptureRequest
        {
            Settings = settings,
            Output = output,
            Root = root,
            TakeOver = options.Contains("take-over"),
            Fallback = choice.Fallback(settings),
            Snapshot = options.Contains("snapshot") ? cancel => WindowsSnapshot.Take(machine, TimeProvider.System, cancel) : null,
        };
        using var stop = new CancellationTokenSource();
        if (options.Contains("interrupt-snapshot"))
        {
            new Thread(() => { SpinWait.SpinUntil(() => state.Calls.Count > 0); stop.Cancel(); }) { IsBackground = true }.Start();
        }

        var progress = new PrintedProgress(state, Value(options, "kill-at"), step => StopAt(step, root, options, stop));
        CaptureSummary summary = new CaptureSession(machine, choice.Engine!, request, progress, TimeProvider.System).Run(stop.Token);
        Console.WriteLine($"reason: {summary.StopReason}");
        Console.Write(summary.Trigger is { } trigger ? $"trigger: {trigger.What}\n" : string.Empty);
        Console.WriteLine(FormattableString.Invariant($"lost: {summary.LostEvents} events, {summary.LostBuffers} buffers"));
        foreach (string remark in summary.Remarks)
        {
            Console.WriteLine($"remark: {remark}");
        }

        return summary.IsWhole ? 0 : 4;
    });

    /// <summary>Finishes what was left.</summary>
    /// <param name="state">The machine.</param>
    /// <param name="root">Holds the folders of recordings.</param>
    /// <returns>0, or 1.</returns>
    public static int Recover(MachineState state, string root) => Guard(() =>
    {
        RecoveredCaptures recovered = CaptureRecovery.Run(new StandInMachine(state), root, new PrintedProgress(state, null, _ => { }), TimeProvider.System);
        foreach (string result in recovered.Results)
        {
            Console.WriteLine($"recovered: {result}");
        }

        return recovered.Left == 0 ? 0 : 1;
    });

    // The end of its input ends a recording, as Ctrl-C does.
    static void StopAt(CaptureStep step, string root, string[] options, CancellationTokenSource stop)
    {
        HeldFolder.At(step, root, options);
        if (step == CaptureStep.Recording && options.Contains("until-eof"))
        {
            Console.In.ReadToEnd();
            stop.Cancel();
        }

        if (string.Equals(step.ToString(), Value(options, "interrupt-at"), StringComparison.Ordinal))
        {
            stop.Cancel();
        }
    }

    static int Guard(Func<int> work)
    {
        try
        {
            return work();
        }
        catch (CaptureException exception)
        {
            Console.WriteLine($"error: {exception.Message}");
            return 1;
        }
        catch (OperationCanceledException)
        {
            Console.WriteLine("interrupted");
            return 130;
        }
    }

    static string? Value(string[] options, string name) =>
        options.FirstOrDefault(option => option.StartsWith(name + "=", StringComparison.Ordinal))?[(name.Length + 1)..];

    sealed class PrintedProgress(MachineState state, string? killAt, Action<CaptureStep> onStep) : ICaptureProgress
    {
        public void Chosen(string engine) => Console.WriteLine($"engine: {engine}");

        public void Reached(CaptureStep step)
        {
            Console.WriteLine($"step: {step}");
            if (step == CaptureStep.Recording && state.Answer("netsh-start") is "ends-soon")
            {
                state.End(state.Sessions()[0].Name);
            }

            if (step == CaptureStep.Recording && state.Answer("free-later") is not "success" and var free)
            {
                state.Script("free", free);
            }

            if (string.Equals(step.ToString(), killAt, StringComparison.Ordinal))
            {
                Process.GetCurrentProcess().Kill();
            }

            onStep(step);
        }

        public void Recording(TimeSpan elapsed, long bytes, long? lostEvents, long? lostBuffers) =>
            Console.WriteLine(FormattableString.Invariant($"recording: {bytes} {lostEvents} {lostBuffers}"));

        public void Stopping(TimeSpan elapsed) => Console.WriteLine("stopping");

        public void Report(string text) => Console.WriteLine($"tell: {text}");
    }
}
