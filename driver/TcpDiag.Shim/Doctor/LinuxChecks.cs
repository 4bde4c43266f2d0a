using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform;
using TcpDiag.Shim.Queue;
using TcpDiag.Shim.Tun;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Doctor;

/// <summary>
/// What the backends of Linux need. Each is tried for real, and given back at once: a queue whose rule means no packet, a TUN device that is never
/// up.
/// </summary>
[SupportedOSPlatform("linux")]
static class LinuxChecks
{
    // Not the ones that runs use, and others for each process: checks disturb neither runs nor each other.
    const int FirstQueue = 20_000;
    const int Queues = 10_000;

    // TEST-NET-1 (RFC 5737) at both ends: no packet has these.
    const string NoPacket = "udp src host 192.0.2.1 dst host 192.0.2.1";

    public static IReadOnlyList<DoctorCheck> Make() =>
    [
        Try(
            "queue",
            "A packet queue and its rules can be made (NFQUEUE, nf_tables).",
            () => new QueuePort((ushort)(FirstQueue + (Environment.ProcessId % Queues)), MatchParser.Parse(NoPacket)).Dispose()),
        Try("tun", "A TUN device can be made.", () => TunDevice.Open(string.Create(CultureInfo.InvariantCulture, $"tdcheck{Environment.ProcessId}")).Dispose()),
        Priority(),
    ];

    static DoctorCheck Try(string name, string success, Action attempt)
    {
        try
        {
            attempt();
            return new DoctorCheck(name, true, success, null);
        }
        catch (PlatformException refused)
        {
            return new DoctorCheck(name, false, refused.Message, "Run as root, outside of a container or in one with CAP_NET_ADMIN and /dev/net/tun.");
        }
    }

    // On a thread of its own, which ends with what it was given.
    static DoctorCheck Priority()
    {
        bool isTaken = false;
        Thread thread = new(() => isTaken = RealTimePriority.TryTake());
        thread.Start();
        thread.Join();
        return isTaken
            ? new DoctorCheck("priority", true, "Packets can be sent with real-time priority.", null)
            : new DoctorCheck("priority", null, "Real-time priority is refused: delays depend on the machine's load.", "Run as root, or give CAP_SYS_NICE.");
    }
}
