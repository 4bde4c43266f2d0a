using System;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows;
using TcpDiag.Lab.Programs;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli;

/// <summary>What commands use of Windows and cannot be had elsewhere: what records, what diverts, and how this program is started again. Tests put stand-ins in its place.</summary>
sealed record Surroundings
{
    /// <summary>How this program is started again.</summary>
    public LabProgram Program { get; init; } = OwnProgram.Start;

    /// <summary>What records.</summary>
    public Func<ICaptureMachine> OpenMachine { get; init; } =
        () => OperatingSystem.IsWindows() ? new WindowsMachine() : throw new CaptureException("recording with programs of Windows needs Windows.");

    /// <summary>Holds the folders of recordings while they run.</summary>
    public Func<string> CaptureRoot { get; init; } = () => OperatingSystem.IsWindows() ? WindowsMachine.Root : string.Empty;

    /// <summary>What diverts.</summary>
    public Func<DivertOptions, MatchRule, IPacketPort> OpenDivert { get; init; } =
        (options, match) => OperatingSystem.IsWindows() ? new DivertPort(options, match) : throw new ShimException("WinDivert diverts on Windows only.");
}
