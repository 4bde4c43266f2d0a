using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>
/// A connection as text, one segment per line: milliseconds, direction, what it is. The client sends data, <c>30.1 &gt; 1001+1000 ts=30 id=7</c> (first
/// number + length); the server acknowledges, <c>50.2 &lt; 1 sack=1001-2001,3001-4001 ts=9/30 win=1200</c>, window 1000 unless told. Round trip 20 ms, MSS
/// 1460, SACK permitted. The client's initial number lies 256 below the wrap.
/// </summary>
static class TextTrace
{
    public static Connection AtSender(string text) => Analyze(text, 20);

    public static Connection AtReceiver(string text) => Analyze(text, 0.1);

    public static Connection InTheMiddle(string text) => Analyze(text, 8);

    /// <summary>Without a handshake.</summary>
    public static Connection Somewhere(string text) => Add(new MemoryTrace(), text).Analyze().Connections.Single();

    static Connection Analyze(string text, double synAck)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, Segments.FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).SackPermitted())
            .Packet(Microseconds(synAck), Segments.FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).SackPermitted())
            .Packet(20_100, Segments.FromClient(1, 1));
        return Add(trace, text).Analyze().Connections.Single();
    }

    static MemoryTrace Add(MemoryTrace trace, string text)
    {
        foreach (string line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            FrameBuilder frame = string.Equals(words[1], ">", StringComparison.Ordinal) ? Data(words[2]) : Segments.FromServer(1, Number(words[2]));
            trace.Packet(Microseconds(double.Parse(words[0], CultureInfo.InvariantCulture)), words.Skip(3).Aggregate(frame, With));
        }

        return trace;
    }

    static long Microseconds(double milliseconds) => (long)Math.Round(milliseconds * 1000);

    static FrameBuilder Data(string range)
    {
        string[] parts = range.Split('+');
        return Segments.FromClient(Number(parts[0]), 1, (int)Number(parts[1]));
    }

    static FrameBuilder With(FrameBuilder frame, string option)
    {
        string[] parts = option.Split('=');
        uint[] numbers = [.. parts[1].Split('-', ',', '/').Select(Number)];
        return parts[0] switch
        {
            "sack" => frame.Sack([.. numbers.Select(number => unchecked(Segments.ClientIsn + number))]),
            "ts" => frame.Timestamps(numbers[0], numbers.Length > 1 ? numbers[1] : 0),
            "win" => frame.Window((ushort)numbers[0]),
            "id" => frame.Ip("10.0.0.1", "10.0.0.2", id: (ushort)numbers[0]),
            _ => throw new ArgumentException(option, nameof(option)),
        };
    }

    static uint Number(string text) => uint.Parse(text, CultureInfo.InvariantCulture);
}
