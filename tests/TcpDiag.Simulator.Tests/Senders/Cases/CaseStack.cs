using System;
using System.Globalization;
using System.IO;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Timing;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>
/// The stack of a case. Without a word it is the RFCs as they stand with Reno, every byte acknowledged counting in slow start, and no delay test: numbers that
/// are easy by hand.
/// </summary>
sealed class CaseStack
{
    const long Ms = 1_000_000;

    /// <summary>How it sends.</summary>
    public SenderTraits Traits { get; private set; } = Timeline.Traits;

    /// <summary>SMSS in bytes.</summary>
    public int Smss { get; private set; } = 1000;

    /// <summary>The receive window of the handshake.</summary>
    public double WindowSegments { get; private set; } = 1000;

    /// <summary>How often the SYN was sent again.</summary>
    public int SynTimeouts { get; private set; }

    CongestionTraits Congestion
    {
        get => Traits.Congestion;
        set => Traits = Traits with { Congestion = value };
    }

    /// <summary><c>stack NAME</c>, or <c>set KEY VALUE</c>.</summary>
    public void Set(string verb, string[] words)
    {
        if (verb is "stack")
        {
            Traits = SenderVariants.Find(words[0]) ?? Build(words[0]);
        }
        else if (!SetConnection(words[0], words[1]) && !SetCongestion(words[0], words[1]))
        {
            Traits = WithTrait(words[0], words[1]);
        }
    }

    static SenderTraits Build(string name) => SenderVariants.FindBuild((int)Number(name.Replace("windows-", string.Empty, StringComparison.Ordinal)))!;

    bool SetConnection(string key, string value)
    {
        switch (key)
        {
            case "mss": Smss = (int)Number(value); return true;
            case "window": WindowSegments = Number(value); return true;
            case "syn-timeouts": SynTimeouts = (int)Number(value); return true;
            default: return false;
        }
    }

    bool SetCongestion(string key, string value)
    {
        switch (key)
        {
            case "algorithm": Congestion = Congestion with { Algorithm = Enum.Parse<CongestionAlgorithm>(value) }; return true;
            case "exit": Congestion = Congestion with { Exit = Enum.Parse<SlowStartExit>(value) }; return true;
            case "increment": Congestion = Congestion with { Increment = Enum.Parse<CubicIncrement>(value) }; return true;
            case "l": Congestion = Congestion with { SlowStartLimitSegments = (int)Number(value) }; return true;
            case "idle-restart": Congestion = Congestion with { RestartsAfterIdle = value is "yes" }; return true;
            default: return false;
        }
    }

    SenderTraits WithTrait(string key, string value) => key switch
    {
        "iw" => Traits with { InitialWindowSegments = (int)Number(value) },
        "detection" => Traits with { Detection = Enum.Parse<LossDetection>(value) },
        "adaptation" => Traits with { Adaptation = Enum.Parse<WindowAdaptation>(value) },
        "tlp" => Traits with { HasTailLossProbe = value is "yes" },
        "prr" => Traits with { HasPrr = value is "yes" },
        "undo" => Traits with { Undoes = value is "yes" },
        "from-cwnd" => Traits with { ReducesFromCwnd = value is "yes" },
        "rto-min" => Traits with { Rto = new RtoLimits((long)Number(value) * Ms, Traits.Rto.MaxNanos, Ms) },
        "ack-delay" => Traits with { MaxAckDelayNanos = (long)Number(value) * Ms },
        "tick" => Traits with { TimerTickNanos = (long)Number(value) * Ms },
        _ => throw new InvalidDataException($"unknown setting '{key}'"),
    };

    static double Number(string word) => double.Parse(word, CultureInfo.InvariantCulture);
}
