using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Impairment.Profiles;
using Xunit;

namespace TcpDiag.Impairment.Tests.Profiles;

public class ProfileReaderTests
{
    public static TheoryData<string> Presets => [.. ImpairmentPresets.Names];

    [Theory]
    [MemberData(nameof(Presets))]
    public void Read_Preset_IsUnderstoodAndNamed(string name)
    {
        ImpairmentProfile profile = ProfileReader.Read(name, ImpairmentPresets.FindText(name)!);

        Assert.Equal(name, profile.Name);
        Assert.NotEmpty(profile.Description);
        Assert.True(profile.Settings.Out.Before.RateBitsPerSecond > 0);
        Assert.True(profile.Settings.RttNanos > 0);
    }

    [Fact]
    public void FindText_UnknownPreset_IsNull() => Assert.Null(ImpairmentPresets.FindText("../wifi"));

    [Fact]
    public void Presets_AreAllNamed() => Assert.Equal(
        typeof(ImpairmentPresets).Assembly.GetManifestResourceNames().Where(n => n.EndsWith(".yaml", StringComparison.Ordinal)).Order(StringComparer.Ordinal),
        ImpairmentPresets.Names.Select(n => $"{n}.yaml").Order(StringComparer.Ordinal));

    [Fact]
    public void Read_ValueOrList_BothWork()
    {
        ImpairmentProfile profile = ProfileReader.Read("p.yaml", "rate: 10mbit\nloss: [1pct, 'in:2pct']\nlimit: 2ms\nseed: 9\n");

        Assert.Single(profile.Settings.Out.Before.Losses);
        Assert.Equal(2, profile.Settings.In.Before.Losses.Count);
        Assert.Equal((2_000_000, 9UL), (profile.DelayErrorLimitNanos, profile.Settings.Seed));
    }

    [Theory]
    [InlineData("rate: 10mbit\nloss: 5x\n", "p.yaml:2:1 loss: expected a probability")]
    [InlineData("lose: 5pct\n", "p.yaml:1:1 lose: expected one of rate,")]
    [InlineData("- rate\n", "p.yaml:1:1: expected a mapping of options such as 'rate: 100mbit', found SequenceStart.")]
    [InlineData("rate: {a: b}\n", "p.yaml:1:7: expected a value, or a list of values, found MappingStart.")]
    [InlineData("rate: &a 1mbit\n", "p.yaml:1:7: expected a value, or a list of values without anchor or tag, found '1mbit'.")]
    [InlineData("rate: *a\n", "p.yaml:1:7: expected a value, or a list of values, found AnchorAlias.")]
    [InlineData("rate: [1mbit\n", "expected YAML")]
    [InlineData("", "expected a mapping of options, found StreamEnd.")]
    [InlineData("rate: 1mbit\n---\nrate: 2mbit\n", "expected one document")]
    public void Read_Nonsense_NamesLineAndColumn(string text, string message) =>
        Assert.Contains(message, Assert.Throws<ImpairmentException>(() => ProfileReader.Read("p.yaml", text)).Message, StringComparison.Ordinal);

    [Fact]
    public void Read_TooLong_IsRefused() => Assert.Equal(
        "p.yaml: expected at most 65536 characters, found 65537.",
        Assert.Throws<ImpairmentException>(() => ProfileReader.Read("p.yaml", new string(' ', 65537))).Message);

    [Fact]
    public void Schema_ListsExactlyTheOptionsKnown()
    {
        string path = FindUpwards(Path.Combine("docs", "schemas", "impairment-profile.json"));
        using JsonDocument schema = JsonDocument.Parse(File.ReadAllText(path));

        Assert.Equal(
            ImpairmentOptionsParser.Names.Order(StringComparer.Ordinal),
            schema.RootElement.GetProperty("properties").EnumerateObject().Select(p => p.Name).Order(StringComparer.Ordinal));
    }

    static string FindUpwards(string relative)
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, relative)))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return Path.Combine(folder ?? throw new FileNotFoundException(relative), relative);
    }
}
