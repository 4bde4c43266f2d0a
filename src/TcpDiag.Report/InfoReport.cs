using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Report;

/// <summary>The text form of what a trace holds. No line is longer than 80 columns, except commands to copy.</summary>
public sealed class InfoReport(IAnsiConsole console)
{
    int Columns => console.Profile.Width;

    const int MaxProviders = 20;
    const int MaxProblems = 10;
    const int MaxInterfaces = 40;

    /// <summary>Writes about one trace.</summary>
    public void Write(TraceInspection trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        WriteHead(trace);
        WriteBundle(trace.Bundle);
        WriteProviders(trace);
        WriteInterfaces(trace);
        WriteBuild(trace);
        WriteAdvice(trace);
        WriteProblems(trace.Problems);
    }

    void WriteHead(TraceInspection trace)
    {
        Line(TerminalText.CutStart(SafeText.OneLine(trace.Path), Columns));
        string bundle = trace.IsBundled ? "bundle with a " : string.Empty;
        Fact("format", $"{bundle}{FormatName(trace.Format)}, {(trace.IsComplete ? "complete" : "damaged or incomplete")}");
        if (trace.Start is { } start)
        {
            Fact("recorded", $"{start}, {trace.DurationSeconds:0.######} s");
        }

        Fact("machine", Machine(trace.System));
        Fact("clock", trace.System.Clock);
        Fact("recorder", trace.System.Recorder);
        Fact("records", $"{trace.Records:N0}, of them {trace.Packets:N0} packets");
        if (trace.System.LostEvents is { } lost)
        {
            Fact("lost", $"{lost:N0} events, {trace.System.LostBuffers ?? 0:N0} buffers");
        }
    }

    void WriteBundle(BundleContents? bundle)
    {
        if (bundle is null)
        {
            return;
        }

        BundleManifest manifest = bundle.Manifest;
        Fact("written", $"{manifest.CreatedUtc:yyyy-MM-dd HH:mm:ss} UTC by {manifest.Tool}, engine {manifest.Engine}");
        Fact("on", manifest.OperatingSystem);
        Fact("match", manifest.Match);
        Fact("ended", manifest.StopReason);
        foreach (string line in BundleText.Remarks(bundle))
        {
            Paragraph("- " + line);
        }
    }

    void WriteProviders(TraceInspection trace)
    {
        if (trace.Providers.Count == 0)
        {
            return;
        }

        Line(string.Empty);
        Line($"{"events",14} {"per second",12}  provider");
        foreach (ProviderSummary provider in trace.Providers.Take(MaxProviders))
        {
            string rate = trace.DurationSeconds is > 0 and { } seconds ? Invariant($"{provider.Count / seconds:N1}") : "-";
            Line($"{provider.Count,14:N0} {rate,12}  {provider.Name ?? provider.Provider.ToString("D")}");
        }

        Rest(trace.Providers.Count - MaxProviders, "providers");
    }

    void WriteInterfaces(TraceInspection trace)
    {
        if (trace.Interfaces.Count == 0)
        {
            return;
        }

        Line(string.Empty);
        Line($"{"packets",14} {"dropped",12}  {"link",-9} interface");
        foreach (InterfaceSummary found in trace.Interfaces.Take(MaxInterfaces))
        {
            string dropped = found.Dropped is { } lost ? Invariant($"{lost:N0}") : "-";
            Line($"{found.Packets,14:N0} {dropped,12}  {found.LinkType,-9} {found.Name ?? found.Description ?? "unnamed"}");
        }

        Rest(trace.Interfaces.Count - MaxInterfaces, "interfaces");
    }

    void WriteBuild(TraceInspection trace)
    {
        if (trace.System.WindowsBuild is not { } build || BuildCapabilities.Of(build) is not { Count: > 0 } abilities)
        {
            return;
        }

        Line(string.Empty);
        Line($"The TCP stack of build {build} can log:");
        List(abilities);
        if (BuildCapabilities.MissingFrom(build) is { Count: > 0 } missing)
        {
            Line("and cannot yet:");
            List(missing);
        }
    }

    void WriteAdvice(TraceInspection trace)
    {
        IReadOnlyList<string> advice = CaptureAdvice.For(trace);
        if (advice.Count > 0)
        {
            Line(string.Empty);
        }

        foreach (string text in advice)
        {
            Paragraph(text);
        }
    }

    void WriteProblems(IReadOnlyList<TraceProblem> problems)
    {
        if (problems.Count == 0)
        {
            return;
        }

        Line(string.Empty);
        Line($"{Quantity.Count(problems.Count, "problem")}; what could be read is counted above:");
        foreach (TraceProblem problem in problems.Take(MaxProblems))
        {
            Paragraph(Invariant($"0x{problem.OffsetBytes:x}: {problem.Message}"));
        }

        Rest(problems.Count - MaxProblems, "problems");
    }

    void Fact(string name, FormattableString value) => Fact(name, Invariant(value));

    void Fact(string name, string? value)
    {
        if (!string.IsNullOrEmpty(value))
        {
            Line($"  {name,-9} {value}");
        }
    }

    void List(IReadOnlyList<string> items)
    {
        foreach (string item in items)
        {
            Paragraph("- " + item);
        }
    }

    void Paragraph(string text)
    {
        foreach (string line in TerminalText.Wrap(SafeText.OneLine(text), Columns - 2))
        {
            console.Profile.Out.Writer.WriteLine("  " + line);
        }
    }

    void Rest(int count, string what)
    {
        if (count > 0)
        {
            Line($"  and {count:N0} more {what}");
        }
    }

    void Line(FormattableString text) => Line(Invariant(text));

    void Line(string text) => console.Profile.Out.Writer.WriteLine(TerminalText.Cut(SafeText.OneLine(text), Columns));

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    static string? Machine(SystemFacts system)
    {
        string? bits = system.PointerSize is { } size ? Invariant($"{8 * size} bit") : null;
        string? processors = system.Processors is { } count ? Invariant($"{count} processors") : null;
        return string.Join(", ", new[] { system.OperatingSystem, processors, bits }.Where(part => !string.IsNullOrEmpty(part)));
    }

    static string FormatName(TraceFormat format) => format switch
    {
        TraceFormat.Etl => "Windows event trace (.etl)",
        TraceFormat.Pcapng => "packet capture (.pcapng)",
        _ => "packet capture (.pcap)",
    };
}
