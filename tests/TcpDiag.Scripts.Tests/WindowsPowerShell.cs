using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scripts.Tests;

/// <summary>
/// What Windows PowerShell 5.1, as every Windows has it, knows of what our scripts use: a list by hand from Microsoft's reference of version 5.1, with the
/// parameters of each command that are used and no others. Whoever uses more looks it up there and adds it here.
/// </summary>
static class WindowsPowerShell
{
    /// <summary>Programs of Windows.</summary>
    public static readonly HashSet<string> Programs = new(["icacls", "logman", "netsh", "pktmon", "tracerpt"], StringComparer.OrdinalIgnoreCase);

    /// <summary>Variables that are there without an assignment.</summary>
    public static readonly HashSet<string> Variables = new(
        ["_", "args", "Error", "ErrorActionPreference", "false", "input", "LASTEXITCODE", "null", "PSScriptRoot", "PSVersionTable", "true"],
            StringComparer.OrdinalIgnoreCase);

    const string Text = """
        Add-Type -AssemblyName -MemberDefinition -Name -Namespace -PassThru
        ConvertFrom-Json
        ConvertTo-Json -Compress -Depth
        Copy-Item
        Expand-Archive
        ForEach-Object
        Get-Acl
        Get-ChildItem -Filter -LiteralPath -Recurse
        Get-CimInstance -ClassName -Filter -Namespace
        Get-Content -Raw
        Get-Culture
        Get-FileHash -Algorithm
        Get-Item
        Get-ItemProperty -LiteralPath
        Get-NetAdapter
        Get-NetIPInterface -AddressFamily -InterfaceIndex
        Get-NetRoute -DestinationPrefix
        Get-PnpDevice -Class -PresentOnly
        Get-PnpDeviceProperty -KeyName
        Get-WinEvent -Oldest -Path
        Invoke-WebRequest -OutFile -TimeoutSec -UseBasicParsing
        Join-Path
        Measure-Object -Minimum
        New-Item -Force -ItemType
        New-Object
        Out-Null
        Out-String
        Remove-Item -Force -Recurse
        Resolve-Path -LiteralPath
        Select-Object -First -Last -Unique
        Set-Content
        Sort-Object
        Split-Path
        Start-Process -PassThru -RedirectStandardOutput -WindowStyle
        Start-Sleep -Milliseconds -Seconds
        Stop-Process -Force -Id
        Test-Path -LiteralPath
        Where-Object
        """;

    static readonly HashSet<string> CommonParameters = new(["ErrorAction"], StringComparer.OrdinalIgnoreCase);

    static readonly Dictionary<string, string[]> Commands = Text.Split('\n').Select(line => line.Trim().Split(" -")).ToDictionary(words => words[0],
        words => words[1..], StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a name is that of a command.</summary>
    public static bool HasCommand(string name) => Commands.ContainsKey(name);

    /// <summary>Whether a command has a parameter.</summary>
    public static bool HasParameter(string command, string parameter) =>
        CommonParameters.Contains(parameter) || Commands[command].Contains(parameter, StringComparer.OrdinalIgnoreCase);
}
