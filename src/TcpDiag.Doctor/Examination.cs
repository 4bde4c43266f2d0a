using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Sessions;
using TcpDiag.Doctor.Checks;
using TcpDiag.Doctor.Probes;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Doctor;

/// <summary>A host that connections are slow to.</summary>
/// <param name="Host">Name or address.</param>
/// <param name="Port">TCP port.</param>
public sealed record DoctorTarget(string Host, int Port);

/// <summary>What is asked of the machine.</summary>
/// <param name="Target">The host in question; null for checks of the machine alone.</param>
/// <param name="TakeSnapshot">Reads the settings of the machine; null where a recording reads them.</param>
/// <param name="Windows">Runs programs of Windows; null on other systems.</param>
public sealed record DoctorSources(DoctorTarget? Target, Func<CancellationToken, SystemSnapshot>? TakeSnapshot, ICaptureMachine? Windows);

/// <summary>Runs all checks side by side, each within a time of its own. What fails, or does not end, could not be checked; nothing else suffers.</summary>
public static class Examination
{
    // Beyond that people think it hangs. Snapshots of Windows start PowerShell, which takes seconds on a slow machine.
    static readonly TimeSpan ProbeBudget = TimeSpan.FromSeconds(6);
    static readonly TimeSpan MeanwhileBudget = TimeSpan.FromSeconds(20);
    static readonly TimeSpan SnapshotBudget = TimeSpan.FromSeconds(35);

    /// <summary>Runs the checks.</summary>
    /// <param name="sources">What is asked.</param>
    /// <param name="cancel">Ends it.</param>
    /// <returns>The checks in the order of <see cref="CheckIds.All"/>.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public static IReadOnlyList<Check> Run(DoctorSources sources, CancellationToken cancel)
    {
        ArgumentNullException.ThrowIfNull(sources);
        Running[] running = [.. Plan(sources, cancel).Select(step => Running.Start(step))];
        return InOrder(running.SelectMany(step => step.Wait(cancel)));
    }

    /// <summary>What happened to the machine while something was recorded: wireless links that changed.</summary>
    /// <param name="sources">What is asked.</param>
    /// <param name="begin">When the recording began.</param>
    /// <param name="cancel">Ends it.</param>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public static IReadOnlyList<Check> Meanwhile(DoctorSources sources, DateTimeOffset begin, CancellationToken cancel)
    {
        ArgumentNullException.ThrowIfNull(sources);
        return [.. Running.Start(new(CheckIds.Wifi, MeanwhileBudget, () => WifiRoams.WhileRecorded(Wifi(sources, begin, cancel)))).Wait(cancel)];
    }

    // The log may be read some time after the recording has ended.
    static IReadOnlyList<WifiMoment> Wifi(DoctorSources sources, DateTimeOffset begin, CancellationToken cancel)
    {
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        return sources.Windows is { } windows ? [.. WindowsWifi.Read(windows, now - begin, cancel).Where(moment => moment.Time >= begin)]
            : OperatingSystem.IsLinux() ? LinuxStations.JoinedSince(Stations(now), begin)
            : [];
    }

    static IReadOnlyList<Station> Stations(DateTimeOffset now) => LinuxStations.Read(LinuxAdapters.Folder, call => LinuxPrograms.Run(call, ProbeBudget), now);

    /// <summary>Judges the settings of a machine from its snapshot.</summary>
    /// <param name="snapshot">The snapshot, as bundles hold it.</param>
    /// <param name="others">What other checks found.</param>
    /// <returns>All of them, in the order of <see cref="CheckIds.All"/>.</returns>
    public static IReadOnlyList<Check> Judge(SystemSnapshot snapshot, params IEnumerable<Check> others)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        return InOrder(others.Concat(SnapshotChecks.Judge(snapshot)));
    }

    static IReadOnlyList<Check> InOrder(IEnumerable<Check> checks)
    {
        List<string> order = [.. CheckIds.All];
        return [.. checks.OrderBy(check => order.IndexOf(check.Id))];
    }

    static IEnumerable<Step> Plan(DoctorSources sources, CancellationToken cancel)
    {
        yield return new(CheckIds.Names, ProbeBudget, () => NameServers.Check(sources.Target?.Host));
        if (sources.Target is { } target)
        {
            yield return new(CheckIds.Connect, ProbeBudget, () => ConnectTimes.Check(target));
            yield return new(CheckIds.PathMtu, ProbeBudget, () => PathMtu.Check(target.Host, new EchoProbe()));
        }

        if (OperatingSystem.IsLinux())
        {
            yield return new(CheckIds.Adapters, ProbeBudget, () => LinuxAdapters.Check(LinuxAdapters.Folder));
            yield return new(CheckIds.Wifi, ProbeBudget, () => LinuxWifi.Check(LinuxWifi.File, () => Stations(TimeProvider.System.GetUtcNow())));
            yield return new(CheckIds.Vpn, ProbeBudget, () => LinuxTunnels.Check(LinuxAdapters.Folder));
            yield return new(CheckIds.Proxy, ProbeBudget, () => ProxyVariables.Check(Environment.GetEnvironmentVariable));
            yield return new(CheckIds.Clock, ProbeBudget, LinuxClock.Check);
        }

        if (sources.Windows is { } windows)
        {
            yield return new(CheckIds.Wifi, SnapshotBudget, () => WindowsPrograms.Wifi(windows, cancel));
            yield return new(CheckIds.Clock, SnapshotBudget, () => WindowsPrograms.Clock(windows, cancel));
        }

        if (sources.TakeSnapshot is { } take)
        {
            if (sources.Windows is { } machine)
            {
                yield return new(CheckIds.Wifi, SnapshotBudget, () => WifiRoams.InAnHour(WindowsWifi.Read(machine, TimeSpan.FromHours(1), cancel)));
            }

            yield return new(CheckIds.TcpSettings, SnapshotBudget, () => SnapshotChecks.Judge(take(cancel)));
        }
    }

    sealed record Step(string Id, TimeSpan Budget, Func<IEnumerable<Check>> Work);

    sealed class Running(Step step, Task<Check[]> work)
    {
        readonly long _begun = Stopwatch.GetTimestamp();

        public static Running Start(Step step) =>
            new(step, Task.Factory.StartNew(() => step.Work().ToArray(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));

        public Check[] Wait(CancellationToken cancel)
        {
            TimeSpan left = step.Budget - Stopwatch.GetElapsedTime(_begun);
            try
            {
                return work.Wait(left > TimeSpan.Zero ? left : TimeSpan.Zero, cancel)
                    ? work.Result
                    : [new(step.Id, CheckResult.Unknown, $"no end within {step.Budget.TotalSeconds} s")];
            }
            catch (AggregateException exception)
            {
                // Whatever a check meets must not cost the others; the text says what it was.
                return [new(step.Id, CheckResult.Unknown, $"the system says: {Innermost(exception).Message}")];
            }
        }

        static Exception Innermost(Exception exception) => exception.InnerException is { } inner ? Innermost(inner) : exception;
    }
}
