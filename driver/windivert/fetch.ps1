<#
.SYNOPSIS
    Puts WinDivert 2.2 for x64 into a folder that only administrators can write, if its files are the ones of SHA256SUMS.
.DESCRIPTION
    Run from an elevated Windows PowerShell 5.1 or later. Nothing is installed as a service: the driver is loaded by tcpdiag shim run, and gone after
    the next restart.
        powershell -ExecutionPolicy Bypass -File fetch.ps1
        powershell -ExecutionPolicy Bypass -File fetch.ps1 -From D:\windivert -Destination "C:\Program Files\tcpdiag\windivert"
#>
param(
    [string]$Destination = (Join-Path $env:ProgramFiles 'tcpdiag\windivert'),
    [string]$From
)

$ErrorActionPreference = 'Stop'
$release = 'https://github.com/basil00/WinDivert/releases/download/v2.2.2/WinDivert-2.2.2-A.zip'

$identity = New-Object Security.Principal.WindowsPrincipal ([Security.Principal.WindowsIdentity]::GetCurrent())
if (-not $identity.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    throw 'Run this from an elevated prompt: the folder must belong to the administrators.'
}

function Set-Rights([string]$Path, [string[]]$Rights) {
    & icacls $Path @Rights /q | Out-Null
    if ($LASTEXITCODE -ne 0) { throw "The rights of $Path could not be set: icacls $Rights ended with $LASTEXITCODE." }
}

$work = Join-Path $env:TEMP ('windivert-' + [Guid]::NewGuid().ToString('N'))
$null = New-Item -ItemType Directory $work
try {
    if (-not $From) {
        [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
        Invoke-WebRequest -UseBasicParsing $release -OutFile (Join-Path $work 'release.zip')
        Expand-Archive (Join-Path $work 'release.zip') (Join-Path $work 'release')
        $From = (Get-ChildItem (Join-Path $work 'release') -Recurse -Filter WinDivert64.sys | Where-Object { $_.DirectoryName -match 'x64' } | Select-Object -First 1).DirectoryName
    }

    # The folder first, with its rights: what is checked below nobody else can exchange.
    $null = New-Item -ItemType Directory -Force $Destination
    # A folder that was there may give rights to anybody by entries of its own, which /inheritance:r leaves alone: /reset takes them away.
    Set-Rights $Destination '/setowner', '*S-1-5-32-544'
    Set-Rights $Destination '/reset'
    Set-Rights $Destination '/inheritance:r', '/grant', '*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F', '*S-1-5-32-545:(OI)(CI)RX'

    foreach ($line in Get-Content (Join-Path $PSScriptRoot 'SHA256SUMS')) {
        $hash, $name = $line -split '\s+', 2
        $source = Join-Path $From $name
        if (-not (Test-Path $source)) { $source = Join-Path $From ($name -replace '\.dll$', '64.dll') }
        $target = Join-Path $Destination $name
        # Not over a file that is there: it would keep its rights.
        if (Test-Path $target) { Remove-Item $target -Force }
        Copy-Item $source $target
        Set-Rights $target '/setowner', '*S-1-5-32-544'
        if ((Get-FileHash -Algorithm SHA256 $target).Hash -ne $hash) {
            Remove-Item $target
            throw "$source is not the file of SHA256SUMS; it was not installed."
        }
    }
} finally { Remove-Item $work -Recurse -Force }

"WinDivert 2.2 is in $Destination. Use it with: tcpdiag shim run --driver `"$Destination`" ..."
