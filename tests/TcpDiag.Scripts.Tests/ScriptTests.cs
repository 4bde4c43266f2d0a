using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TcpDiag.Scripts.Tests;

/// <summary>
/// Every text of PowerShell that the project has, by PowerShell's own parser: that Windows PowerShell 5.1 would read it, and knows what it names.
/// </summary>
public sealed class ScriptTests
{
    public static TheoryData<string> Names => [.. Script.All.Select(script => script.Name)];

    [Fact]
    public void All_Scripts_AreFound()
    {
        Assert.Equal(["driver/windivert/fetch.ps1", "tools/windows-check.ps1"],
            Script.All.Select(script => script.Name).Where(name => name.EndsWith(".ps1", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        Assert.Equal(24, Script.All.Count(script => script.Name.StartsWith("question ", StringComparison.Ordinal)));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Parse_Script_HasNoError(string name) =>
        Assert.Empty(Of(name).Parse(out _).Errors.Select(error => $"{error.Extent.StartLineNumber}: {error.Message}"));

    [Theory]
    [MemberData(nameof(Names))]
    public void Find_Script_HasNoLaterSyntax(string name) => Assert.Empty(LaterSyntax.Find(Of(name)));

    [Theory]
    [MemberData(nameof(Names))]
    public void Names_Script_AreKnown(string name)
    {
        NamesUsed names = new(Of(name));

        Assert.Empty(names.UnknownCommands());
        Assert.Empty(names.UnknownVariables());
        Assert.Empty(names.EmptyCatches());
    }

    // 5.1 reads a script without a mark at its start in the code page of the machine.
    [Theory]
    [MemberData(nameof(Names))]
    public void Text_Script_IsAscii(string name) => Assert.True(Of(name).Text.All(char.IsAscii));

    [Theory]
    [InlineData("$a = $b ? 1 : 2")]
    [InlineData("$a ?? 1")]
    [InlineData("$a ??= 1")]
    [InlineData("${a}?.Length")]
    [InlineData("${a}?[0]")]
    [InlineData("a && b")]
    [InlineData("a || b")]
    [InlineData("a &")]
    [InlineData("$a = 5y")]
    [InlineData("$a = 0b101")]
    [InlineData("\"`e[0m\"")]
    [InlineData("\"`u{2192}\"")]
    [InlineData("function f { process { 1 } clean { 2 } }")]
    public void Find_LaterSyntax_IsFound(string text) => Assert.NotEmpty(LaterSyntax.Find(new("text", text)));

    [Theory]
    [InlineData("$a = @(1, 2) | Where-Object { $_ -gt 1 }; if ($a -and $true) { 5kb, 1.5, 0x1F, 'a && b', \"`n\" }")]
    [InlineData("try { & $a b } catch { $_ }")]
    public void Find_EarlierSyntax_IsNoFinding(string text) => Assert.Empty(LaterSyntax.Find(new("text", text)));

    [Theory]
    [InlineData("Get-Nothing", "Get-Nothing")]
    [InlineData("ForEach-Object -Parallel { 1 }", "ForEach-Object -Parallel")]
    [InlineData("ConvertFrom-Json -AsHashtable", "ConvertFrom-Json -AsHashtable")]
    [InlineData("Get-Item a -ErrorAction Stop", null)]
    [InlineData("function Own([int]$Count) { } Own -Cont 1", "Own -Cont")]
    [InlineData("function Own { 1 } Own --json -x; netsh trace stop", null)]
    [InlineData("& $program x; & { 1 }", null)]
    [InlineData("& \"$folder\\x.exe\"", "& \"$folder\\x.exe\"")]
    public void UnknownCommands_Text_AreNamed(string text, string? expected) =>
        Assert.Equal(expected is null ? [] : new List<string> { expected }, new NamesUsed(new("text", text)).UnknownCommands());

    [Theory]
    [InlineData("$a = 1; $b = $a + $A; $script:c++; $c", "c")]
    [InlineData("param($x) foreach ($y in $x) { $y; $env:TEMP; $_; $LASTEXITCODE }", null)]
    [InlineData("$first, $second = 1, 2; \"$first $secnd\"", "secnd")]
    [InlineData("if ($IsWindows) { 1 }", "IsWindows")]
    public void UnknownVariables_Text_AreNamed(string text, string? expected) =>
        Assert.Equal(expected is null ? [] : new List<string> { expected }, new NamesUsed(new("text", text)).UnknownVariables());

    [Fact]
    public void EmptyCatches_Text_AreFound() =>
        Assert.Equal([1], new NamesUsed(new("text", "try { 1 } catch { <# why #> }\ntry { 1 } catch { 2 }")).EmptyCatches());

    static Script Of(string name) => Script.All.Single(script => string.Equals(script.Name, name, StringComparison.Ordinal));
}
