using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// A waitable timer of high resolution (CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, Windows 10 1803 and later), which wakes within about half a
/// millisecond. The ordinary one wakes at the next tick of the clock, every 15.6 ms, which would ruin a delay of 5 ms; where there is no other, the
/// tick is made 1 ms for the time of the run.
/// </summary>
[SupportedOSPlatform("windows")]
sealed partial class WakeTimer : WaitHandle
{
    const uint HighResolution = 2;
    const uint AllAccess = 0x1F_0003;
    const long NanosPerTick = 100;
    const uint FinestTickMs = 1;

    readonly bool _hasFineTick;

    /// <summary>Makes a timer that is not set.</summary>
    /// <exception cref="ShimException">The system refused.</exception>
    public WakeTimer()
    {
        SafeWaitHandle = Create(0, 0, HighResolution, AllAccess);
        IsHighResolution = !SafeWaitHandle.IsInvalid;
        if (!IsHighResolution)
        {
            SafeWaitHandle.Dispose();
            SafeWaitHandle = Create(0, 0, 0, AllAccess);
            _hasFineTick = BeginPeriod(FinestTickMs) == 0;
        }

        if (SafeWaitHandle.IsInvalid)
        {
            throw DivertErrors.LastError("make a waitable timer");
        }
    }

    /// <summary>Whether the timer is of high resolution.</summary>
    public bool IsHighResolution { get; }

    /// <summary>Sets it.</summary>
    /// <param name="ns">After so many nanoseconds it is signaled, once.</param>
    public void Set(long ns)
    {
        long due = -Math.Max(1, ns / NanosPerTick); // negative: from now on
        _ = SetTimer(SafeWaitHandle, in due, 0, 0, 0, resume: false);
    }

    protected override void Dispose(bool explicitDisposing)
    {
        base.Dispose(explicitDisposing);
        if (_hasFineTick)
        {
            _ = EndPeriod(FinestTickMs);
        }
    }

    [LibraryImport("kernel32", EntryPoint = "CreateWaitableTimerExW", SetLastError = true)]
    private static partial SafeWaitHandle Create(nint attributes, nint name, uint flags, uint access);

    [LibraryImport("kernel32", EntryPoint = "SetWaitableTimer", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetTimer(
        SafeWaitHandle timer, in long due, int period, nint routine, nint argument, [MarshalAs(UnmanagedType.Bool)] bool resume);

    [LibraryImport("winmm", EntryPoint = "timeBeginPeriod")]
    private static partial uint BeginPeriod(uint milliseconds);

    [LibraryImport("winmm", EntryPoint = "timeEndPeriod")]
    private static partial uint EndPeriod(uint milliseconds);
}
