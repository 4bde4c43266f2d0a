using System.CommandLine;
using System.IO;
using System.Threading;
using TcpDiag.Analysis.Results;
using TcpDiag.Report;
using TcpDiag.Traces;
using TcpDiag.Traces.Conversion;
using TcpDiag.Traces.Filtering;
using TcpDiag.Traces.Pcapng;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag convert IN… OUT</c>: traces as one .pcapng file.</summary>
static class ConvertCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("FILE")
        {
            Arity = new ArgumentArity(2, ArgumentArity.OneOrMore.MaximumNumberOfValues),
            Description = "Traces to read (.etl, .pcapng, .pcap; also .gz and .zip), then the .pcapng file to write; - for standard input and output",
        };
        var events = new Option<bool>("--events") { Description = "Add events of the TCP stack as journal entries, which Wireshark shows" };
        var allLayers = new Option<bool>("--all-layers") { Description = "Keep NDIS packets of every filter layer, not of one per adapter" };
        Option<bool> force = ForceOption.Create();
        var filters = new FilterOptions();
        var command = new Command("convert", "Write traces as .pcapng for Wireshark") { files, events, allLayers, force };
        filters.AddTo(command);
        command.SetAction(parse =>
        {
            RecordFilter filter = filters.Read(parse);
            bool writesEvents = parse.GetValue(events);
            var options = new TraceOpenOptions
            {
                AllLayers = parse.GetValue(allLayers),
                DecodeStackEvents = writesEvents || filter.Processes.Count > 0,
            };
            return Run(parse, parse.GetRequiredValue(files), options, filter, writesEvents, parse.GetValue(force));
        });
        return command;
    }

    static int Run(ParseResult parse, string[] files, TraceOpenOptions options, RecordFilter filter, bool writesEvents, bool isForced)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        string target = files[^1];
        using var progress = new ReadingProgress(parse, files[..^1]);
        using TraceReader reader = TraceFile.Open(files[..^1], options);
        progress.Reader = reader;
        using OutputFile output = OutputFile.Create(target, files[..^1], isForced);
        ConversionResult result;
        using (var writer = new PcapngWriter(
            output.Stream, new PcapngWriterOptions { OperatingSystem = reader.System.OperatingSystem, Comment = reader.System.Simulation }))
        {
            result = new TraceConverter(reader, writer, filter) { WritesEvents = writesEvents }.Run(interruption);
        }

        progress.End();
        if (result is { Packets: 0, Events: 0 })
        {
            string what = writesEvents ? "packet or event" : "packet";
            Failure.Report(parse.InvocationConfiguration.Error, $"{target}: not written, no {what} passes. `tcpdiag info` shows what the trace holds.");
            ProblemReport.Write(Terminal.Error(parse), reader);
            return ExitCode.NoResult;
        }

        output.Complete();
        Summarise(parse.InvocationConfiguration.Error, result, target);
        ProblemReport.Write(Terminal.Error(parse), reader);
        return reader.Problems.Count == 0 ? ExitCode.Done : ExitCode.Damaged;
    }

    static void Summarise(TextWriter error, ConversionResult result, string target)
    {
        string packets = $"{Quantity.Count(result.Packets, "packet")} of {Quantity.Count(result.Interfaces, "interface")}";
        error.WriteLine($"{SafeText.OneLine(target)}: {packets}, {Quantity.Count(result.Events, "event")}, {Quantity.Count(result.Bytes, "byte")}");
    }
}
