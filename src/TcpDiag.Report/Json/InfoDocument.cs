using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Report.Json;

/// <summary>What <c>tcpdiag info --json</c> prints (docs/schemas/info.schema.json).</summary>
/// <param name="Schema">Name and version of this form.</param>
/// <param name="Files">One entry per file, in the order of the command line.</param>
public sealed record InfoDocument(string Schema, IReadOnlyList<InfoDocument.File> Files)
{
    /// <summary>Makes the document.</summary>
    public static InfoDocument From(IEnumerable<TraceInspection> traces) => new("tcpdiag/info/1", [.. traces.Select(Describe)]);

    /// <summary>Writes it as indented JSON.</summary>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.WriteLine(JsonSerializer.Serialize(this, InfoJsonContext.Default.InfoDocument));
    }

    static File Describe(TraceInspection trace) => new(
        trace.Path,
        trace.IsBundled ? "bundle" : NameOf(trace.Format),
        trace.Records,
        trace.Packets,
        trace.Start?.ToString(),
        trace.DurationSeconds,
        trace.System.WindowsBuild,
        trace.System.PointerSize,
        trace.System.Processors,
        trace.System.OperatingSystem,
        trace.System.Recorder,
        trace.System.Clock,
        trace.System.LostEvents,
        trace.System.LostBuffers,
        trace.IsComplete,
        [.. trace.Problems.Select(problem => new Problem(problem.OffsetBytes, problem.Message))],
        [.. trace.Providers.Select(Describe)],
        [.. trace.Interfaces.Select(Describe)],
        trace.System.WindowsBuild is { } build ? BuildCapabilities.Of(build) : [],
        CaptureAdvice.For(trace),
        trace.Bundle is { } bundle ? BundleEntry.Of(bundle) : null);

    static Provider Describe(ProviderSummary provider) => new(
        provider.Provider.ToString("D"),
        provider.Name,
        provider.Count,
        [.. provider.Events.Select(kind => new Event(kind.Id, kind.Version, kind.Opcode, kind.Name, kind.Count))]);

    static Interface Describe(InterfaceSummary found) =>
        new(found.Name, found.Description, JsonNamingPolicy.CamelCase.ConvertName(found.LinkType.ToString()), found.Packets, found.Dropped);

    static string NameOf(TraceFormat format) => format switch
    {
        TraceFormat.Etl => "etl",
        TraceFormat.Pcapng => "pcapng",
        _ => "pcap",
    };

    /// <summary>One trace.</summary>
    /// <param name="Path">As given on the command line.</param>
    /// <param name="Format"><c>etl</c>, <c>pcapng</c>, <c>pcap</c> or <c>bundle</c>.</param>
    /// <param name="Records">Records of every kind, the header's own included.</param>
    /// <param name="Packets">Packets; one seen at several places counts at each.</param>
    /// <param name="StartUtc">Start of the recording, ISO 8601.</param>
    /// <param name="DurationSeconds">From start to the last record.</param>
    /// <param name="WindowsBuild">Build of Windows.</param>
    /// <param name="PointerSize">4 or 8.</param>
    /// <param name="Processors">Processors of the machine.</param>
    /// <param name="OperatingSystem">In words.</param>
    /// <param name="Recorder">The program that recorded.</param>
    /// <param name="Clock">Clock of the time stamps in words.</param>
    /// <param name="LostEvents">Events the recorder lost.</param>
    /// <param name="LostBuffers">Buffers the recorder lost.</param>
    /// <param name="Complete">Whether everything the file should hold could be read.</param>
    /// <param name="Problems">Damage, in file order.</param>
    /// <param name="Providers">Providers by number of events.</param>
    /// <param name="Interfaces">Capture points.</param>
    /// <param name="CanTell">What the TCP stack of this build can log.</param>
    /// <param name="Advice">What to add to the capture command.</param>
    /// <param name="Bundle">What the bundle says; null for a trace alone.</param>
    public sealed record File(
        string Path,
        string Format,
        long Records,
        long Packets,
        string? StartUtc,
        double? DurationSeconds,
        int? WindowsBuild,
        int? PointerSize,
        int? Processors,
        string? OperatingSystem,
        string? Recorder,
        string? Clock,
        long? LostEvents,
        long? LostBuffers,
        bool Complete,
        IReadOnlyList<Problem> Problems,
        IReadOnlyList<Provider> Providers,
        IReadOnlyList<Interface> Interfaces,
        IReadOnlyList<string> CanTell,
        IReadOnlyList<string> Advice,
        BundleEntry? Bundle);

    /// <summary>Damage.</summary>
    /// <param name="Offset">Where in the (decompressed) file.</param>
    /// <param name="Message">What was expected and found.</param>
    public sealed record Problem(long Offset, string Message);

    /// <summary>A provider.</summary>
    /// <param name="Guid">Its id.</param>
    /// <param name="Name">Its name.</param>
    /// <param name="Count">Its events.</param>
    /// <param name="Events">Their kinds.</param>
    public sealed record Provider(string Guid, string? Name, long Count, IReadOnlyList<Event> Events);

    /// <summary>A kind of event.</summary>
    /// <param name="Id">Event id; null for classic events.</param>
    /// <param name="Version">Version of the payload.</param>
    /// <param name="Opcode">Opcode of a classic event.</param>
    /// <param name="Name">Its name.</param>
    /// <param name="Count">How many.</param>
    public sealed record Event(int? Id, int Version, int? Opcode, string? Name, long Count);

    /// <summary>A capture point.</summary>
    /// <param name="Name">Its name.</param>
    /// <param name="Description">Longer text.</param>
    /// <param name="LinkType">What its packets begin with.</param>
    /// <param name="Packets">Packets seen there.</param>
    /// <param name="Dropped">Packets lost there.</param>
    public sealed record Interface(string? Name, string? Description, string LinkType, long Packets, long? Dropped);
}

/// <summary>What a bundle says about its recording.</summary>
/// <param name="Tool">Program and version that wrote it.</param>
/// <param name="CreatedUtc">When it was written, ISO 8601.</param>
/// <param name="Engine">What recorded.</param>
/// <param name="OperatingSystem">System and version of the machine.</param>
/// <param name="Match">Which traffic was asked for.</param>
/// <param name="StopReason">Why the recording ended.</param>
/// <param name="Remarks">What went wrong or is missing.</param>
/// <param name="FailedSections">Sections of the snapshot from which facts are missing.</param>
public sealed record BundleEntry(
    string Tool,
    string CreatedUtc,
    string Engine,
    string OperatingSystem,
    string Match,
    string StopReason,
    IReadOnlyList<string> Remarks,
    IReadOnlyList<BundleEntry.Section> FailedSections)
{
    /// <summary>Makes the entry.</summary>
    public static BundleEntry Of(BundleContents bundle)
    {
        System.ArgumentNullException.ThrowIfNull(bundle);
        BundleManifest manifest = bundle.Manifest;
        return new(
            manifest.Tool,
            manifest.CreatedUtc.ToString("O", System.Globalization.CultureInfo.InvariantCulture),
            manifest.Engine,
            manifest.OperatingSystem,
            manifest.Match,
            manifest.StopReason,
            manifest.Remarks,
            [.. bundle.FailedSections.Select(section => new Section(section.Name, section.Problem!))]);
    }

    /// <summary>A section of the snapshot from which facts are missing.</summary>
    /// <param name="Name">Its name.</param>
    /// <param name="Problem">Why.</param>
    public sealed record Section(string Name, string Problem);
}

/// <summary>Serialises <see cref="InfoDocument"/> without reflection.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(InfoDocument))]
[JsonSerializable(typeof(IReadOnlyList<BundleEntry>))]
sealed partial class InfoJsonContext : JsonSerializerContext;
