using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Probe.Results;

namespace TcpDiag.Cli.Probe;

/// <summary>What a probe read, in words and as a table of 80 columns.</summary>
static class ProbeText
{
    const double NanosPerMs = 1e6;
    const double NanosPerSecond = 1e9;

    /// <summary>Writes it.</summary>
    public static void Write(TextWriter output, ProbeDocument document)
    {
        if (document.Sender is null)
        {
            output.WriteLine($"No sender connected to {document.Listen} in {Seconds(document)} s.");
            return;
        }

        WriteHead(output, document);
        Wrap(output, document.Summary, string.Empty);
        ProbeReading[] taken = [.. document.Readings.Where(reading => reading.NotRead is null)];
        if (taken.Length > 0)
        {
            output.WriteLine();
            output.WriteLine($"{"reading",-44}{"read",7}  {"between",-13}{"n",3}  {RfcOf(document.Profile)}");
        }

        Array.ForEach(taken, reading => output.WriteLine(Row(reading)));
        foreach (ProbeReading reading in document.Readings.Except(taken))
        {
            Wrap(output, $"{reading.Name}: not read, because {reading.NotRead}", "  ");
        }
    }

    static string RfcOf(string profile) => profile switch
    {
        "prr" => "RFC 9937",
        "slow-start" => "RFC 9406",
        _ => "RFC 8985",
    };

    static void WriteHead(TextWriter output, ProbeDocument document)
    {
        string rtt = ((document.MinRttNs ?? 0) / NanosPerMs).ToString("0.0", CultureInfo.InvariantCulture);
        Wrap(output, $"{document.Profile} of {document.Sender}: RTT {rtt} ms, {Quantity.Count(document.Segments, "segment")} in {Seconds(document)} s", "  ");
        if (!document.IsComplete)
        {
            Wrap(output, $"Ended early: {document.End}.", "  ");
        }

        if (document.Lost > 0)
        {
            Wrap(output, string.Create(CultureInfo.InvariantCulture, $"The device lost {document.Lost} packets: the readings are in doubt."), "  ");
        }
    }

    static string Row(ProbeReading reading)
    {
        string between = reading.Low == reading.High ? string.Empty : $"{Figure(reading.Low)} to {Figure(reading.High)}";
        string name = reading.Unit is "of 1" ? reading.Name : $"{reading.Name}, {reading.Unit}";
        string value = reading.Unit is "of 1" ? Percent(reading.Value) : Figure(reading.Value);
        string row = $"{value,7}  {between,-13}{reading.Count,3}  {reading.Rfc}";
        name = reading.Unit is "segments" or "recoveries" ? reading.Name : name;
        return name.Length <= 43 ? $"{name,-44}{row}" : $"{name}\n{string.Empty,-44}{row}";
    }

    static string Seconds(ProbeDocument document) => (document.DurationNs / NanosPerSecond).ToString("0.0", CultureInfo.InvariantCulture);

    static string Percent(double? part) => (part ?? 0).ToString("0 %", CultureInfo.InvariantCulture);

    static string Figure(double? value) => (value ?? 0) switch
    {
        var number when number == Math.Round(number) => number.ToString("0", CultureInfo.InvariantCulture),
        >= 100 => value!.Value.ToString("0", CultureInfo.InvariantCulture),
        _ => value!.Value.ToString("0.00", CultureInfo.InvariantCulture),
    };

    static void Wrap(TextWriter output, string text, string indent)
    {
        foreach (string line in WordWrap.Lines(text.Split(' '), Terminal.ColumnsOf(output), next: indent))
        {
            output.WriteLine(line);
        }
    }
}
