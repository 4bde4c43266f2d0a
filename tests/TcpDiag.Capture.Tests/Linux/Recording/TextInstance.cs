using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text.RegularExpressions;
using TcpDiag.Capture.Linux.Tracefs;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>A trace instance read as the text the kernel makes of it: an independent view of the same events.</summary>
sealed partial class TextInstance : IDisposable
{
    readonly TracefsMount _mount = TracefsMount.Open();
    readonly string _folder;

    public TextInstance(string tracepoint, int port)
    {
        _folder = Path.Join(_mount.Root, "instances", FormattableString.Invariant($"tdtext-{Environment.ProcessId}-{port}"));
        Directory.CreateDirectory(_folder);
        File.WriteAllText(Path.Join(_folder, "buffer_size_kb"), "4096");
        File.WriteAllText(Path.Join(_folder, "events", tracepoint, "filter"), FormattableString.Invariant($"sport == {port} || dport == {port}"));
        File.WriteAllText(Path.Join(_folder, "events", tracepoint, "enable"), "1");
    }

    public IEnumerable<(long SndNxt, long SndUna, long Cwnd)> ReadProbes()
    {
        foreach (Match match in Probe().Matches(File.ReadAllText(Path.Join(_folder, "trace"))))
        {
            yield return (Hex(match.Groups["next"]), Hex(match.Groups["una"]), long.Parse(match.Groups["cwnd"].ValueSpan, CultureInfo.InvariantCulture));
        }
    }

    public void Dispose()
    {
        Directory.Delete(_folder);
        _mount.Dispose();
    }

    static long Hex(Group group) => long.Parse(group.ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    [GeneratedRegex("snd_nxt=0x(?<next>[0-9a-f]+) snd_una=0x(?<una>[0-9a-f]+) snd_cwnd=(?<cwnd>[0-9]+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Probe();
}
