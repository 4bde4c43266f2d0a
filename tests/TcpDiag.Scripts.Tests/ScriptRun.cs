using System;
using System.Collections.Generic;
using System.Linq;
using System.Management.Automation;
using System.Management.Automation.Language;
using System.Management.Automation.Runspaces;

namespace TcpDiag.Scripts.Tests;

/// <summary>
/// The functions of a script, run by PowerShell itself here. Of its commands only those of the engine are a package; the others, and those of Windows, are
/// stand-ins with as much of them as the script uses.
/// </summary>
sealed class ScriptRun : IDisposable
{
    const string StandIns = """
        function New-Object([string]$TypeName, [object[]]$ArgumentList) { ,[Activator]::CreateInstance([System.Management.Automation.LanguagePrimitives]::ConvertTo($TypeName, [type]), $ArgumentList) }
        function Join-Path([string]$Path, [string]$ChildPath) { [IO.Path]::Combine($Path, $ChildPath) }
        function Test-Path([string]$Path) { [IO.File]::Exists($Path) -or [IO.Directory]::Exists($Path) }
        function Get-ChildItem([string]$Path) { if ([IO.Directory]::Exists($Path)) { [IO.Directory]::GetFileSystemEntries($Path) } }
        function Out-String { ($input | ForEach-Object { "$_`n" }) -join '' }
        function Select-Object([switch]$Unique, [int]$First) { $met = @{}; foreach ($one in $input) { if (-not $met["$one"]) { $met["$one"] = $true; $one } } }
        function ConvertTo-Json([switch]$Compress) { "$input" }
        function Add-Type([string]$AssemblyName) { }
        function Start-Sleep([int]$Seconds, [int]$Milliseconds) { }
        function Invoke-WebRequest([switch]$UseBasicParsing, [string]$Uri, [int]$TimeoutSec) { }
        function Get-CimInstance([string]$ClassName) { [pscustomobject]@{ ProductType = 1 } }
        function Get-NetAdapter { [pscustomobject]@{ Name = 'Ethernet' } }
        function netsh { }
        function pktmon { }

        """;

    readonly Runspace _runspace;

    /// <summary>Defines the functions.</summary>
    /// <param name="script">The script; what it does outside of functions is not done.</param>
    public ScriptRun(Script script)
    {
        var state = InitialSessionState.CreateDefault2();
        state.Commands.Add(new SessionStateCmdletEntry("ConvertFrom-Json", typeof(FromJsonCommand), helpFileName: null));
        _runspace = RunspaceFactory.CreateRunspace(state);
        _runspace.Open();
        IEnumerable<string> functions = script.Parse(out _).Ast.FindAll(node => node is FunctionDefinitionAst,
            searchNestedScriptBlocks: false).Select(function => function.Extent.Text);
        _ = Run(StandIns + string.Join('\n', functions)
            + "\n$ErrorActionPreference = 'Stop'; $failed = 0; $refusal = ''; $processes = New-Object Collections.ArrayList; $recordings = New-Object "
            + "Collections.ArrayList");
    }

    /// <summary>Sets a variable of the script.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="value">Its value.</param>
    public void Set(string name, object value) => _runspace.SessionStateProxy.SetVariable(name, value);

    /// <summary>Runs a text.</summary>
    /// <param name="text">PowerShell.</param>
    /// <returns>What it gives, as text.</returns>
    public IReadOnlyList<string> Run(string text)
    {
        using var shell = PowerShell.Create(_runspace);
        List<string> given = [.. shell.AddScript(text).Invoke().Select(one => one?.ToString() ?? string.Empty)];
        return shell.Streams.Error.Count == 0 ? given : throw new InvalidOperationException(shell.Streams.Error[0].ToString());
    }

    /// <inheritdoc/>
    public void Dispose() => _runspace.Dispose();
}
