using System;
using System.IO;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Tests;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Wine.Host;

/// <summary>The shim as <c>tcpdiag shim serve</c> runs it, with files of WinDivert that this program has chosen.</summary>
static class ShimCase
{
    /// <summary>Runs until standard input ends; a line on it opens a closed gate. Prints that it has begun, and the report.</summary>
    public static void Run(DivertFiles files, string log, bool isOpen, string match, string[] options)
    {
        MatchRule rule = MatchParser.Parse(match);
        using DivertPort port = new(files, new DivertOptions { Filter = Environment.GetEnvironmentVariable("HOST_FILTER"), LoopbackNear = ReadNear() }, rule);
        using GatedPort gate = new(port);
        if (isOpen)
        {
            gate.Open();
        }

        using CancellationTokenSource stop = new();
        using FileStream decisions = File.Create(log);
        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(2), MaxPacketBytes = 66_048, Log = decisions };
        Task<ShimReport> report = Task.Factory.StartNew(() => ShimRun.Run(gate, rule, Profile(options), run, stop.Token), default,
            TaskCreationOptions.LongRunning, TaskScheduler.Default);
        gate.AwaitBegin(report);
        Console.WriteLine("running");
        while (Console.ReadLine() is not null)
        {
            gate.Open();
        }

        stop.Cancel();
        Console.WriteLine(JsonSerializer.Serialize(report.GetAwaiter().GetResult(), ShimJson.Default.ShimReport));
    }

    static IpAddress? ReadNear() => IpAddress.TryParse(Environment.GetEnvironmentVariable("HOST_NEAR"), out IpAddress near) ? near : null;

    static ImpairmentProfile Profile(string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split('=', 2);
            parser.Set(option, parts[0], parts[1]);
        }

        return parser.Build();
    }
}
