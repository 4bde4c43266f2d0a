using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace TcpDiag.Architecture.Tests;

/// <summary>The folders of the analysis use each other in one direction.</summary>
public sealed partial class AnalysisLayerTests
{
    const string Root = "src/TcpDiag.Analysis/";

    // Each may use those before it.
    static readonly string[] Layers =
    [
        "Results", "Memory", "Sender", "Receiver", "Connections", "Timelines", "Patterns", "Delivery", "Limits", "StackEvents", "Names", "Findings", "Intake",
    ];

    [Fact]
    public void Folders_AreTheLayers() =>
        Assert.Equal(Layers.Order(StringComparer.Ordinal),
            Sources().Select(FolderOf).Where(folder => folder.Length > 0).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal));

    [Fact]
    public void Files_UseOnlyLayersBelow()
    {
        string[] wrong =
        [
            .. from file in Sources()
               let folder = FolderOf(file)
               where folder.Length > 0
               from used in Uses(file)
               where Array.IndexOf(Layers, used) > Array.IndexOf(Layers, folder)
               select $"{file}: {used}",
        ];
        Assert.Equal(string.Empty, string.Join('\n', wrong));
    }

    [Fact]
    public void Uses_AreFound() => Assert.Contains("Sender", Uses(Root + "Connections/ConnectionState.cs"));

    static IEnumerable<string> Sources() => SourceTree.Code.Where(file => file.StartsWith(Root, StringComparison.Ordinal));

    // Empty for the files at the root, which are the face of the project.
    static string FolderOf(string file)
    {
        string folder = Path.GetDirectoryName(file[Root.Length..])!;
        return folder.Split('/', '\\')[0];
    }

    static IEnumerable<string> Uses(string file) => UseOfLayer().Matches(SourceTree.Read(file)).Select(match => match.Groups["layer"].Value);

    [GeneratedRegex(@"\bTcpDiag\.Analysis\.(?<layer>[A-Z][A-Za-z]+);", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex UseOfLayer();
}
