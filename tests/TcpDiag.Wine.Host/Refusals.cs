using System;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Wine.Host;

/// <summary>What the genuine library refuses, and how we say it.</summary>
static class Refusals
{
    /// <summary>Prints each answer.</summary>
    public static void Run()
    {
        foreach (string filter in (string[])["tcp.DstPort = 80 and", "tcp.Port == 1", "processId == 4", "true"])
        {
            Console.WriteLine($"{filter}: {(DivertHelpers.FindFault(filter, DivertLayer.Network) is var (text, position) ? FormattableString.Invariant($"{position} {text}") : "good")}");
        }

        Console.WriteLine($"flow processId == 4: {(DivertHelpers.FindFault("processId == 4", DivertLayer.Flow) is null ? "good" : "bad")}");
        Console.WriteLine($"normal: {DivertHelpers.Format("tcp.DstPort=80 && !loopback", DivertLayer.Network)}");
        Try("wrong filter", () => DivertPort.Open("no filter", DivertLayer.Network, 0, DivertModes.None));
        Try("wrong priority", () => DivertPort.Open("false", DivertLayer.Network, 30_001, DivertModes.None));
        Try("no packet", () => DivertHelpers.Matches("true", [1, 2, 3], new DivertAddress()));
        Try("no driver", () => DivertPort.Open("false", DivertLayer.Network, 0, DivertModes.None));
    }

    static void Try(string what, Func<object> call)
    {
        try
        {
            Console.WriteLine($"{what}: {call()}");
        }
        catch (ShimException refused)
        {
            Console.WriteLine($"{what}: {refused.Message}");
        }
    }
}
