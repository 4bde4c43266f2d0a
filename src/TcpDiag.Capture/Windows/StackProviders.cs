using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Capture.Windows;

/// <summary>The providers whose events show what the TCP stack does and what applications ask of it.</summary>
static class StackProviders
{
    public const string AllKeywords = "0xffffffffffffffff";

    public const string NotFiltered = "events of the TCP stack cannot be filtered: those of all connections are recorded";

    const int Informational = 4;
    const int Verbose = 5;

    public static StackProvider TcpIp { get; } = new("Microsoft-Windows-TCPIP", KnownProviders.TcpIp, Verbose) { ReportsState = true };

    /// <summary>The TCP stack, what applications ask of their sockets, name resolution.</summary>
    public static IReadOnlyList<StackProvider> All { get; } =
    [
        TcpIp,
        new("Microsoft-Windows-Winsock-AFD", new Guid("e53c6823-7bb8-44bb-90dc-3f86090d48a6"), Informational),
        new("Microsoft-Windows-Winsock-NameResolution", new Guid("55404e71-4db9-4deb-a5f5-8f86e46dde56"), Verbose),
    ];

    /// <summary>Drivers that hand packets to any session, while netsh or pktmon keeps them started.</summary>
    public static IReadOnlyList<StackProvider> Packets { get; } =
    [
        new("Microsoft-Windows-NDIS-PacketCapture", new Guid("2ed6006e-4729-4609-b423-3ee7bcd678ef"), Informational),
        new("Microsoft-Windows-PktMon", new Guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"), Informational),
    ];
}

/// <summary>A provider of events.</summary>
/// <param name="Name">Its name, the same in every language.</param>
/// <param name="Id">Its identifier.</param>
/// <param name="Level">Events up to this level are recorded: 4 informational, 5 verbose.</param>
public sealed record StackProvider(string Name, Guid Id, int Level)
{
    /// <summary>Whether it logs existing state, e.g. open connections, on request (EVENT_CONTROL_CODE_CAPTURE_STATE).</summary>
    public bool ReportsState { get; init; }

    internal string LevelText => Level.ToString(CultureInfo.InvariantCulture);
}
