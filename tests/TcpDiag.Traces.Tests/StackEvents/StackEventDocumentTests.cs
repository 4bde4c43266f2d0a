using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Traces.Tests.StackEvents;

/// <summary>Holds docs/formats/stack-events.md and the table in the code to the same content.</summary>
public class StackEventDocumentTests
{
    const string Begin = "<!-- windows table: begin -->";
    const string End = "<!-- windows table: end -->";
    static readonly string Document = ProjectFolder.PathOf("docs", "formats", "stack-events.md");

    static bool IsUpdating => Environment.GetEnvironmentVariable("TCPDIAG_UPDATE_BASELINES") is "1";

    [Fact]
    public void WindowsTable_InTheDocument_IsThatOfTheCode()
    {
        string text = File.ReadAllText(Document).ReplaceLineEndings("\n");
        int begin = text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = text.IndexOf(End, StringComparison.Ordinal);
        string expected = Table();
        if (IsUpdating)
        {
            File.WriteAllText(Document, text[..begin] + expected + text[end..]);
            return;
        }

        Assert.Equal(expected, text[begin..end]);
    }

    [Fact]
    public void KindTable_InTheDocument_NamesEveryKind()
    {
        if (IsUpdating)
        {
            return; // the other test writes it meanwhile
        }

        string text = File.ReadAllText(Document);
        foreach (StackEventKind kind in Enum.GetValues<StackEventKind>().Where(kind => kind != StackEventKind.None))
        {
            Assert.Contains($"| `{StackEventNames.Of(kind)}` |", text, StringComparison.Ordinal);
        }
    }

    static string Table()
    {
        var table = new StringBuilder("\n| Event | Windows event (first build) |\n|---|---|\n");
        foreach (StackEventKind kind in Enum.GetValues<StackEventKind>().Where(kind => kind != StackEventKind.None))
        {
            string[] sources = [.. StackEventTable.All.Where(mapping => mapping.Kind == kind || mapping.KindAtExit == kind).Select(Describe)];
            table.Append("| `").Append(StackEventNames.Of(kind)).Append("` | ")
                .AppendJoin(", ", sources.Length > 0 ? sources : ["not available"]).Append(" |\n");
        }

        return table.ToString();
    }

    static string Describe(StackEventMapping mapping)
    {
        ProviderCatalog? provider = SchemaCatalog.Bundled.Provider(mapping.Provider);
        if (provider is null)
        {
            return $"{ClassicSchemas.ProviderName(mapping.Provider)} {mapping.Id}";
        }

        IEnumerable<int> builds = provider.WithId(mapping.Id).ToArray()
            .Select(variant => SchemaCatalog.Bundled.Builds[System.Numerics.BitOperations.TrailingZeroCount(variant.BuildMask)].Number);
        string name = provider.Name.Replace("Microsoft-Windows-", string.Empty, StringComparison.Ordinal)
            .Replace("TCPIP", string.Empty, StringComparison.Ordinal);
        return $"{name} {mapping.Id} ({builds.Min()})".TrimStart();
    }
}
