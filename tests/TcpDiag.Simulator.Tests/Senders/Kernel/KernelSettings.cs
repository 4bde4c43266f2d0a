using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Simulator.Senders;
using TcpDiag.Simulator.Tests.Senders.Cases;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Simulator.Tests.Senders.Kernel;

/// <summary>The stack of a case as settings of a network namespace (Documentation/networking/ip-sysctl.rst).</summary>
static class KernelSettings
{
    const string Folder = "/proc/sys/net/ipv4/";

    /// <summary>Sets the calling thread's namespace.</summary>
    /// <exception cref="NotSupportedException">The kernel has no such setting for a namespace.</exception>
    public static void Apply(CaseStack stack)
    {
        SenderTraits traits = stack.Traits;
        if (traits.Congestion.Exit != CongestionTraits.Linux.Exit)
        {
            throw new NotSupportedException("HyStart is one setting for the whole machine");
        }

        foreach ((string name, string value) in Of(traits))
        {
            File.WriteAllText(Folder + name, value);
        }
    }

    static IEnumerable<(string Name, string Value)> Of(SenderTraits traits) =>
    [
        ("tcp_timestamps", "0"),
        ("tcp_ecn", traits.Name is "ecn" ? "1" : "0"),
        ("tcp_sack", traits.Detection == LossDetection.NewReno ? "0" : "1"),
        ("tcp_recovery", traits.Adaptation == WindowAdaptation.Fixed ? "3" : "1"),
        ("tcp_early_retrans", traits.HasTailLossProbe ? "3" : "0"),
        ("tcp_slow_start_after_idle", traits.Congestion.RestartsAfterIdle ? "1" : "0"),
        ("tcp_no_metrics_save", "1"),
        ("tcp_wmem", "4096 8000000 8000000"),
    ];
}
