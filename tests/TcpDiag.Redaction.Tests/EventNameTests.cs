using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.Etl;
using TcpDiag.Traces.Tests.Schemas;
using Xunit;

namespace TcpDiag.Redaction.Tests;

/// <summary>Names in descriptions of events: those of Windows stay, those of somebody's own program go, and the events can be read as before.</summary>
public sealed class EventNameTests : IDisposable
{
    static readonly Guid Own = new("b7d2a1f4-3c58-5e0b-9a6d-71f0c2e4d835");

    // u16 size, no tags, the event's name; then a name and an in-type for each field: 4 bytes, and 4 of floating point.
    static readonly byte[] Description = [52, 0, 0, .. "PieceUploaded\0"u8, .. "OrderOfBob\0"u8, 8, .. "Retries\0"u8, 11, .. "Path\0"u8, 2 | 0x80, 35];

    readonly Pseudonyms _names = new(TestKeys.First);

    public void Dispose() => _names.Dispose();

    [Fact]
    public void Redact_SelfDescribingEventOfAProgram_LosesItsNamesAndIsReadAsBefore()
    {
        byte[] before = Write(Own, "Contoso.Uploader");
        byte[] after = RedactedFiles.Redact(_names, before, TraceFormat.Etl);

        string text = Encoding.Latin1.GetString(after);
        Assert.All(
            ["Contoso", "Uploader", "PieceUploaded", "OrderOfBob", "Retries", "team"],
            name => Assert.DoesNotContain(name, text, StringComparison.OrdinalIgnoreCase));
        EventSchema was = Assert.Single(SchemasOf(before));
        EventSchema schema = Assert.Single(SchemasOf(after));
        Assert.Equal(
            was.Fields.ToArray().Select(field => (field.InType, field.OutType, field.Name.Length)),
            schema.Fields.ToArray().Select(field => (field.InType, field.OutType, field.Name.Length)));
        Assert.Equal("Contoso.Uploader".Length, schema.ProviderName.Length);
        Assert.Equal(5, _names.Counts[RedactionKind.EventNames]);
        Assert.Equal(_names.ReplaceText("PieceUploaded"), schema.Name);
    }

    [Theory]
    [InlineData("Microsoft-Windows-Own")]
    [InlineData("Microsoft.Windows.Own")]
    public void Redact_SelfDescribingEventOfWindows_KeepsItsNames(string provider)
    {
        byte[] after = RedactedFiles.Redact(_names, Write(Own, provider), TraceFormat.Etl);

        EventSchema schema = Assert.Single(SchemasOf(after));
        Assert.Equal((provider, "PieceUploaded", "OrderOfBob"), (schema.ProviderName, schema.Name, schema.Fields[0].Name));
        Assert.Equal(0, _names.Counts[RedactionKind.EventNames]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Redact_DescriptionThatMergingAdds_KeepsTheNamesOfWindowsAlone(bool isWindows)
    {
        byte[] description = EventInfoBytes.Describe(isWindows ? StackEventTable.Tcpip : Own);
        byte[] after = RedactedFiles.Redact(_names, Write(new EtlRecordBuilder().Build(EventInfoBytes.Header(7), description).ToArray()), TraceFormat.Etl);

        Assert.Equal(isWindows, after.AsSpan().IndexOf(Encoding.Unicode.GetBytes("SeqNo")) >= 0);
        Assert.Equal(isWindows ? 0 : 3, _names.Counts[RedactionKind.EventNames]);
    }

    // The id of a provider stays in its events; a text that has it too is replaced.
    [Fact]
    public void Redact_ProviderThatATextNames_IsNoLeak()
    {
        _names.ReplaceText(Own.ToString(), TextRule.Facts);
        RedactedFiles.Redact(_names, Write(Own, "Contoso.Uploader"), TraceFormat.Etl);

        Assert.True(_names.Originals.Guids.IsLeak(Own));
        Assert.False(_names.Originals.IsLeakAsBytes(Own));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(20)]
    [InlineData(29)]
    public void NamesIn_DescriptionThatIsCut_AreThoseBefore(int length)
    {
        byte[] cut = Description[..length];
        string[] names = [.. TraceLoggingSchema.NamesIn(cut).Select(name => Encoding.ASCII.GetString(cut[name]))];

        Assert.True(names.Length <= 3);
        Assert.StartsWith(string.Concat(names), "PieceUploadedOrderOfBobRetries", StringComparison.Ordinal);
    }

    [SharedTheory]
    [InlineData("sample-22621-netsh")]
    [InlineData("sample-26100-pktmon")]
    public void Redact_SampleWithAnUploader_LosesItsNamesAlone(string name)
    {
        byte[] before = EtlSamples.ReadGenerated(name);
        byte[] after = RedactedFiles.Redact(_names, before, TraceFormat.Etl);

        Assert.Equal(SchemasOf(before).Count, SchemasOf(after).Count);
        Assert.All(["Contoso", "Uploader", "ChunkUploaded", "Seconds"], word => Assert.True(before.AsSpan().IndexOf(Encoding.ASCII.GetBytes(word)) > 0));
        Assert.All(["Contoso", "Uploader", "ChunkUploaded", "Seconds"], word => Assert.True(after.AsSpan().IndexOf(Encoding.ASCII.GetBytes(word)) < 0));
    }

    static List<EventSchema> SchemasOf(byte[] bytes)
    {
        var schemas = new List<EventSchema>();
        using EtlFile file = EtlSamples.Open(bytes);
        var finder = new EventSchemaFinder(26100, new InFileSchemas());
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            if (!record.ExtendedData.IsEmpty && finder.Find(record).Schema is { } schema)
            {
                schemas.Add(schema);
            }
        }

        return schemas;
    }

    // The traits tell a group too.
    static byte[] Write(Guid provider, string name)
    {
        var builder = new EtlRecordBuilder();
        builder.AddExtendedItem(EtlExtendedItemType.EventSchema, Description);
        builder.AddExtendedItem(EtlExtendedItemType.ProviderTraits, [40, 0, .. Encoding.UTF8.GetBytes(name), 0, 7, 0, 1, .. "team"u8]);
        return Write(builder.Build(new EtlRecordHeader { Provider = provider, Ticks = 7 }, [1, 0, 0, 0, 0, 0, 0x80, 0x3F, (byte)'x', 0]).ToArray());
    }

    static byte[] Write(byte[] record)
    {
        var stream = new MemoryStream();
        using (var writer = new EtlWriter(stream, EtlFixtures.Header))
        {
            writer.Write(record, 0);
            writer.Complete(EtlFixtures.Header.StartFileTime + 5);
        }

        return stream.ToArray();
    }
}
