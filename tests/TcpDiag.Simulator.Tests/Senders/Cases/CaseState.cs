using System.Globalization;
using System.IO;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>What a case can state of the sender, by its name: a number, or a word.</summary>
static class CaseState
{
    const double Ms = 1_000_000;

    public static object Of(CaseSender run, string name) => Number(run, run.Tcp, name) is { } number ? number : Word(run.Tcp, name);

    static double? Number(CaseSender run, Sender tcp, string name) => name switch
    {
        "cwnd" => run.Segments(tcp.Cwnd),
        "ssthresh" => tcp.Ssthresh == long.MaxValue ? null : run.Segments(tcp.Ssthresh),
        "flight" => run.Segments(tcp.FlightBytes),
        "pipe" => run.Segments(tcp.PipeBytes),
        "unsent" => run.Segments(tcp.UnsentBytes),
        "rto" => tcp.RtoNanos / Ms,
        "srtt" => tcp.SrttNanos / Ms,
        "rttvar" => tcp.RttVarNanos / Ms,
        "min-rtt" => tcp.MinRttNanos / Ms,
        "window" => tcp.ReoWndNanos / Ms,
        "multiplier" => tcp.ReoWndMult,
        "persist" => tcp.ReoWndPersist,
        _ => Count(tcp, tcp.Count(), name),
    };

    static double? Count(Sender tcp, SenderCounts counts, string name) => name switch
    {
        "timeouts" => tcp.Timeouts,
        "probes" => counts.Probes,
        "retransmissions" => counts.Retransmissions,
        "recoveries" => counts.Recoveries,
        "undone" => counts.Undone,
        "dsacks" => counts.Dsacks,
        "ecn-reductions" => counts.EcnReductions,
        _ => null,
    };

    static string Word(Sender tcp, string name) => name switch
    {
        "ssthresh" => "none",
        "phase" => tcp.Phase.ToString(),
        "reordering" => tcp.ReorderingSeen ? "seen" : "none",
        "slow-start" => tcp.InSlowStart ? "yes" : "no",
        "exit" => tcp.SlowStartExit.ToString(),
        "held" => tcp.HeldBy.ToString(),
        "timer" => Timer(tcp),
        _ => throw new InvalidDataException($"unknown state '{name}'"),
    };

    static string Timer(Sender tcp)
    {
        string name = tcp.Timer switch
        {
            TimerKind.Reordering => "reo",
            TimerKind.Probe => "pto",
            TimerKind.Rto => "rto",
            TimerKind.Persist => "persist",
            _ => "none",
        };
        return tcp.NextTimer == TraceTime.Latest ? name : string.Create(CultureInfo.InvariantCulture, $"{name} {tcp.NextTimer.Nanoseconds / Ms:0.###}");
    }
}
