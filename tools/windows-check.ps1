<#
.SYNOPSIS
    Does on a real Windows machine what waits there: records with each engine, and looks at what comes out.
.DESCRIPTION
    Run from an elevated Windows PowerShell 5.1 or PowerShell 7, with tcpdiag.exe of the machine's architecture:
        powershell -ExecutionPolicy Bypass -File windows-check.ps1 -Tcpdiag C:\tools\tcpdiag.exe
    Each check prints one line: PASS, FAIL with what was found, or SKIP with why this build of Windows cannot have it. The exit code is the number of checks that failed.
    With -Peer and -TokenFile it also sends to another machine that runs tcpdiag lab serve (docs/lab.md).
    Traffic: downloads from -Url; for files of a size, datagrams to a port of the gateway that discards them; and pings to -Target when -Driver names the folder of
    WinDivert (driver/windivert/fetch.ps1). Nothing is left behind but the folder that the last line names.
#>
param(
    [Parameter(Mandatory = $true)][string]$Tcpdiag,
    [string]$Url = 'http://www.msftconnecttest.com/connecttest.txt',
    [string]$Driver,
    [string]$Target,
    [string]$Peer,
    [string]$TokenFile
)

$ErrorActionPreference = 'Stop'

# PowerShell 7.4 would end the script at the first program that ends with another code than 0.
$PSNativeCommandUseErrorActionPreference = $false

$identity = New-Object Security.Principal.WindowsPrincipal ([Security.Principal.WindowsIdentity]::GetCurrent())
if (-not $identity.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) { throw 'Run this from an elevated prompt: recording and diverting need it.' }
$Tcpdiag = (Resolve-Path -LiteralPath $Tcpdiag).ProviderPath
if ($Driver) { $Driver = (Resolve-Path -LiteralPath $Driver).ProviderPath }
if ($TokenFile) { $TokenFile = (Resolve-Path -LiteralPath $TokenFile).ProviderPath }

# What a build of Windows has: docs/capture.md.
$build = [Environment]::OSVersion.Version.Build
$hasPktmon = $build -ge 17763
$hasPktmonPieces = $build -ge 19041
$hasPktmonEvents = $build -ge 20348

$folder = Join-Path $env:TEMP ('tcpdiag-check-' + [Guid]::NewGuid().ToString('N'))
$left = Join-Path $env:ProgramData 'tcpdiag\captures'
$null = New-Item -ItemType Directory $folder
$tcpip = '2f07e2ee-15db-40f1-90ef-9d7ba282188a'
$script:failed = 0
$script:refusal = ''

# What this script has started, and ends with it: processes, and recordings by the command that stops them.
$script:processes = New-Object Collections.ArrayList
$script:recordings = New-Object Collections.ArrayList

# $Holds without a type: -match gives back a list where it is asked of one, which is no [bool] to a parameter.
function Check([string]$Name, $Holds, $Found) {
    if ($Holds) { "PASS  $Name" } else { $script:failed++; "FAIL  ${Name}: $Found" }
}

function Skip([string]$Name, [string]$Why) { "SKIP  ${Name}: $Why" }

# A folder may have a blank in its name.
function Quote([string]$Argument) { if ($Argument -match '\s') { "`"$Argument`"" } else { $Argument } }

# What failed has printed nothing, or no JSON: that is a failed check, not the end of the script.
function FromJson([string]$Text) { try { if ($Text) { $Text | ConvertFrom-Json } } catch { $null } }

# What a program says on standard error becomes an error of PowerShell 5.1 where that is redirected, and is none.
function Tcpdiag { $ErrorActionPreference = 'Continue'; & $Tcpdiag @args }

function Info([string]$Path) { @((FromJson (Tcpdiag info $Path --json | Out-String)).files)[0] }

function IsClean { -not (Test-Path $left) -or @(Get-ChildItem $left).Count -eq 0 }

function Sessions { $ErrorActionPreference = 'Continue'; (logman query -ets | Out-String) }

function Start-Recorder([string[]]$Arguments) {
    $start = New-Object Diagnostics.ProcessStartInfo $Tcpdiag, (($Arguments | ForEach-Object { Quote $_ }) -join ' ')
    $start.UseShellExecute = $false
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $process = [Diagnostics.Process]::Start($start)
    $null = $script:processes.Add($process)
    [pscustomobject]@{ Process = $process; Output = $process.StandardOutput.ReadToEndAsync(); Text = New-Object Text.StringBuilder; Line = $process.StandardError.ReadLineAsync() }
}

# Takes in what it says until it records, or ends, or three minutes are over: a snapshot and what was left before may take a while.
function Wait-Recording($Recorder) {
    $clock = [Diagnostics.Stopwatch]::StartNew()
    while ($clock.Elapsed.TotalSeconds -lt 180) {
        if (-not $Recorder.Line.Wait(1000)) { continue }
        $line = $Recorder.Line.Result
        if ($null -eq $line) { return $false }
        $null = $Recorder.Text.AppendLine($line)
        $Recorder.Line = $Recorder.Process.StandardError.ReadLineAsync()
        if ($line -match '^recording .*Ctrl-C stops') { return $true }
    }
    $false
}

# The rest of what it says, and its end; netsh may take minutes to stop. One that does not end is killed.
function Wait-End($Recorder) {
    $clock = [Diagnostics.Stopwatch]::StartNew()
    while ($clock.Elapsed.TotalMinutes -lt 20) {
        if (-not $Recorder.Line.Wait(1000)) { continue }
        if ($null -eq $Recorder.Line.Result) { break }
        $null = $Recorder.Text.AppendLine($Recorder.Line.Result)
        $Recorder.Line = $Recorder.Process.StandardError.ReadLineAsync()
    }
    if (-not $Recorder.Process.WaitForExit(60000)) {
        $Recorder.Process.Kill()
        $Recorder.Process.WaitForExit()
        $null = $Recorder.Text.AppendLine('it did not end within 20 minutes and was killed')
    }
}

# A few downloads: connections of TCP.
function Send-Downloads {
    $arrived = 0
    foreach ($attempt in 1..3) {
        try { $null = Invoke-WebRequest -UseBasicParsing $Url -TimeoutSec 10; $arrived++ } catch { $script:refusal = $_.Exception.Message }
        Start-Sleep -Milliseconds 500
    }
    $arrived
}

# The route that Windows takes: the least sum of both metrics. A point-to-point link has no gateway.
function Get-Gateway {
    $routes = @(Get-NetRoute -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue | Where-Object { $_.NextHop -ne '0.0.0.0' } |
        Sort-Object { [int64]$_.RouteMetric + [int64](Get-NetIPInterface -InterfaceIndex $_.InterfaceIndex -AddressFamily IPv4 -ErrorAction SilentlyContinue).InterfaceMetric })
    if ($routes.Count -gt 0) { $routes[0].NextHop }
}

# Datagrams leave through the adapter whether somebody answers or not; port 9 discards them. Each is recorded whole with --snap 1500.
function Send-Datagrams([string]$Address, [int]$Megabytes) {
    $client = New-Object Net.Sockets.UdpClient
    $client.Connect($Address, 9)
    $datagram = New-Object byte[] 1400
    $clock = [Diagnostics.Stopwatch]::StartNew()
    $count = [int]($Megabytes * 1000000 / $datagram.Length)
    for ($i = 0; $i -lt $count -and $clock.Elapsed.TotalSeconds -lt 60; $i++) {
        try { $null = $client.Send($datagram, $datagram.Length) } catch { $script:refusal = $_.Exception.Message }
        if ($i % 100 -eq 0) { Start-Sleep -Milliseconds 5 }
    }
    $client.Close()
    $i * $datagram.Length
}

function Record([string]$Engine, [string]$Out, [string[]]$More, [scriptblock]$Traffic = { Send-Downloads }) {
    $arguments = @('capture', '--engine', $Engine, '--out', $Out, '--json') + $More
    if ($More -notcontains '--match' -and $More -notcontains '--all') { $arguments += '--match', 'tcp' }
    if ($More -notcontains '--for') { $arguments += '--for', '8s' }
    $recorder = Start-Recorder $arguments
    $sent = 0
    if (Wait-Recording $recorder) { $sent = & $Traffic }
    Wait-End $recorder
    $output = $recorder.Output.Result
    [pscustomobject]@{ ExitCode = $recorder.Process.ExitCode; Output = $output; Document = FromJson $output; Error = $recorder.Text.ToString(); Sent = $sent }
}

function Read-Entry([string]$Bundle, [string]$Name) {
    Add-Type -AssemblyName System.IO.Compression
    Add-Type -AssemblyName System.IO.Compression.FileSystem
    $zip = [IO.Compression.ZipFile]::OpenRead($Bundle)
    try {
        $entry = $zip.GetEntry($Name)
        if ($null -eq $entry) { return '' }
        $reader = New-Object IO.StreamReader $entry.Open()
        try { $reader.ReadToEnd() } finally { $reader.Dispose() }
    } finally { $zip.Dispose() }
}

function Check-Snapshot([string]$Engine, [string]$Bundle) {
    $sections = @((FromJson (Read-Entry $Bundle 'snapshot.json')).sections | Where-Object { $_ })
    Check "$Engine snapshot has sections" ($sections.Count -ge 20) $sections.Count
    $isClient = (Get-CimInstance Win32_OperatingSystem).ProductType -eq 1
    foreach ($section in $sections) {
        # Servers have no security center.
        if ($section.name -eq 'antivirus' -and -not $isClient) { Skip "snapshot $($section.name)" 'servers have none'; continue }
        Check "snapshot $($section.name)" ($null -eq $section.problem) $section.problem
    }
    foreach ($name in 'system', 'adapters', 'tcp-templates', 'tcp-global', 'routes') {
        Check "snapshot $name is not empty" (@(($sections | Where-Object { $_.name -eq $name }).facts | Where-Object { $_ }).Count -gt 0) 'no facts'
    }
    $names = @(Get-NetAdapter | ForEach-Object { $_.Name })
    $told = @(($sections | Where-Object { $_.name -eq 'adapters' }).facts | ForEach-Object { $_.subject })
    Check 'snapshot names the adapters in their own letters' (@($names | Where-Object { $told -notcontains $_ }).Count -eq 0) "$($names -join ', ') told as $(($told | Select-Object -Unique) -join ', ')"
}

function Check-Engine([string]$Engine, [bool]$HasEvents) {
    $out = Join-Path $folder "$Engine.tcpdiag"
    $run = Record $Engine $out @()
    Check "$Engine had traffic to record" ($run.Sent -gt 0) $script:refusal
    Check "$Engine records" ($run.ExitCode -eq 0) "exit code $($run.ExitCode), $($run.Error)"
    if ($run.ExitCode -notin 0, 4) { return }
    $document = $run.Document
    Check "$Engine has packets" ($document.packets -gt 0) $document.packets
    if ($HasEvents) {
        Check "$Engine has events of the TCP stack" ($document.stackEvents -gt 0) ($document.remarks -join '; ')
    } else {
        Skip "$Engine has events of the TCP stack" "pktmon of build $build records packets alone"
    }
    Check "$Engine lost nothing" ($document.lostEvents -eq 0 -and $document.lostBuffers -eq 0) "$($document.lostEvents) events, $($document.lostBuffers) buffers"
    $trace = Info $out
    Check "$Engine trace is whole" ($trace.complete) ($trace.problems | ConvertTo-Json -Compress)
    $analysis = FromJson (Tcpdiag analyze $out --json | Out-String)
    Check "$Engine shows connections" (@($analysis.connections | Where-Object { $_ }).Count -gt 0) 'none'
    Check "$Engine snapshot is used by analyze" ($null -ne $analysis.machine) 'machine is null'
    Check-Snapshot $Engine $out
    Check "$Engine leaves nothing" (IsClean) "$(Get-ChildItem $left -ErrorAction SilentlyContinue)"
}

# The program of the machine beside ours, in the syntax of its build.
function Start-Beside([string]$Trace) {
    $ErrorActionPreference = 'Continue'
    if ($hasPktmonEvents) { pktmon start --capture --comp nics --pkt-size 0 --file-name $Trace | Out-Null; $stop = 'pktmon stop' }
    elseif ($hasPktmon) { pktmon start --etw -c nics -p 0 -f $Trace | Out-Null; $stop = 'pktmon stop' }
    else { netsh trace start capture=yes tracefile=$Trace report=disabled | Out-Null; $stop = 'netsh trace stop' }
    $null = $script:recordings.Add($stop)
    $LASTEXITCODE -eq 0
}

function Stop-Recordings {
    $ErrorActionPreference = 'Continue'
    foreach ($stop in @($script:recordings)) { if ($stop -eq 'pktmon stop') { pktmon stop | Out-Null } else { netsh trace stop | Out-Null } }
    $script:recordings.Clear()
}

# A session of our own: events alone, and packets while pktmon or netsh captures beside it.
function Check-Etw {
    $out = Join-Path $folder 'etw.etl'
    $run = Record 'etw' $out @()
    Check 'etw records events' ($run.ExitCode -eq 0) "exit code $($run.ExitCode), $($run.Error)"
    Check 'etw says why there are no packets' ($run.Document.remarks -match 'nobody kept pktmon or netsh capturing') $run.Output
    $isBeside = Start-Beside (Join-Path $folder 'beside.etl')
    Check 'a recording runs beside etw' $isBeside 'it did not start'
    try { $run = Record 'etw' $out @() } finally { Stop-Recordings }
    Check 'etw has packets beside it' ($run.Document.packets -gt 0) $run.Output
    Check 'etw leaves nothing' ((IsClean) -and (Sessions) -notmatch 'tcpdiag-') (Sessions)
}

# A filter that takes, and a ring: what a remark says of them is printed, to be read.
function Check-FilterAndRing {
    if ($hasPktmon) {
        $run = Record 'pktmon' (Join-Path $folder 'filtered.etl') @('--match', 'tcp', 'port', '80')
        Check 'a filter of pktmon takes' ($run.Document.packets -gt 0 -and -not ($run.Document.remarks -match 'were not asked for|is not in force')) "$($run.Output) $($run.Error)"
        $ErrorActionPreference = 'Continue'
        Check 'its filters are removed' ((pktmon filter list | Out-String) -notmatch 'tcpdiag') 'tcpdiag is still in pktmon filter list'
        pktmon filter add Foreign -p 65000 | Out-Null
        try {
            $run = Record 'pktmon' (Join-Path $folder 'foreign.etl') @()
            Check 'a filter of somebody else is left alone' ($run.ExitCode -eq 1 -and $run.Error -match 'Foreign' -and (pktmon filter list | Out-String) -match 'Foreign') "$($run.ExitCode) $($run.Error)"
            if ($hasPktmonEvents) {
                $run = Record 'auto' (Join-Path $folder 'instead.etl') @()
                Check 'auto records with netsh instead' ($run.Document.engine -eq 'netsh' -and ($run.Document.remarks -match 'Foreign') -and (pktmon filter list | Out-String) -match 'Foreign') "$($run.Output) $($run.Error)"
            }
        } finally { pktmon filter remove | Out-Null }
    } else {
        Skip 'a filter of pktmon takes' "build $build has no pktmon"
    }
    $run = Record 'netsh' (Join-Path $folder 'ring.etl') @('--ring', '5s', '--size', '2mib')
    Check 'a ring records' ($run.ExitCode -in 0, 4) "$($run.ExitCode) $($run.Error)"
    "ring: $($run.Document.remarks -join '; ')"
}

# What we write, opened by Windows itself: a redacted trace is written anew from its first byte to its last. The count of events is netsh's, which records them on every build.
function Check-Redaction {
    $ErrorActionPreference = 'Continue'
    $original = Join-Path $folder 'events.etl'
    $run = Record 'netsh' $original @()
    Check 'a trace with events' ($run.Document.stackEvents -gt 0) "$($run.Output) $($run.Error)"
    $redacted = Join-Path $folder 'redacted.etl'
    Tcpdiag redact $original $redacted --verify | Out-Null
    Check 'redact leaves no name and no address' ($LASTEXITCODE -eq 0 -and (Test-Path $redacted)) "exit code $LASTEXITCODE"
    $csv = Join-Path $folder 'redacted.csv'
    tracerpt $redacted -o $csv -of CSV -summary (Join-Path $folder 'redacted.txt') -y | Out-Null
    Check 'Windows opens a trace that we wrote' ($LASTEXITCODE -eq 0 -and (Test-Path $csv) -and (Get-Item $csv).Length -gt 0) "tracerpt: exit code $LASTEXITCODE"

    # The same number by us and by the decoder of Windows. Ours is of what info lists for the provider.
    $theirs = @(Get-WinEvent -Path $original -Oldest -ErrorAction SilentlyContinue | Where-Object { "$($_.ProviderId)" -eq $tcpip }).Count
    $ours = (@((Info $original).providers) | Where-Object { $_.guid -eq $tcpip }).count
    Check 'Windows reads as many events of the TCP stack as we do' ($theirs -gt 0 -and $theirs -eq $ours) "$theirs and $ours"
}

# What is found in a trace: a line each.
function Findings([string]$Path) {
    $document = FromJson (Tcpdiag analyze $Path --json | Out-String)
    @($document.findings | Where-Object { $_ } | ForEach-Object { "$($_.id) $($_.connection) $($_.severity)" })
}

# The bundle of the first recording, with the snapshot of a real machine: the same is found in it without its names.
function Check-RedactedBundle {
    $bundle = Join-Path $folder 'netsh.tcpdiag'
    $redacted = Join-Path $folder 'redacted.tcpdiag'
    $told = FromJson (Tcpdiag redact $bundle $redacted --verify --json | Out-String)
    Check 'redact leaves no name and no address of a bundle' ($LASTEXITCODE -eq 0) ($told.files.verification.leaks | ConvertTo-Json -Compress)
    # Whole words of what the machine tells; "User" is also a word of Windows.
    $told = @((FromJson (Read-Entry $redacted 'snapshot.json')).sections | ForEach-Object { $_.facts } | Where-Object { $_ } | ForEach-Object { "$($_.subject) $($_.value)" })
    foreach ($name in $env:COMPUTERNAME, $env:USERNAME) {
        $named = @($told -match ('(?<![A-Za-z0-9])' + [regex]::Escape($name) + '(?![A-Za-z0-9])'))
        Check "the snapshot does not name $name" ($named.Count -eq 0) ($named -join '; ')
    }
    $before = (Findings $bundle) -join '; '
    $after = (Findings $redacted) -join '; '
    Check 'the same is found in a redacted bundle' ($before -eq $after) "$before before, $after after"
}

# A live view: two documents, the second with connections; the session ends with it. To PowerShell 7 a bare 3s is a number.
function Check-Watch {
    $lines = @(Tcpdiag watch --for '3s' --interval '1s' --json)
    $code = $LASTEXITCODE
    $last = if ($lines.Count -gt 0) { FromJson $lines[-1] }
    Check 'watch prints a document a line' ($code -eq 0 -and $lines.Count -ge 3 -and $last.schema -eq 'tcpdiag/watch/1') "$code, $($lines.Count) lines"
    Check 'watch shows connections' (@($last.connections | Where-Object { $_ }).Count -gt 0) 'none'
    Check 'watch leaves no session' ((Sessions) -notmatch 'tcpdiag-live') (Sessions)

    # What it costs: processor time of a run of 20 s, behind its start.
    $log = Join-Path $folder 'watch.json'
    $watch = Start-Process $Tcpdiag 'watch --for 20s --json' -PassThru -WindowStyle Hidden -RedirectStandardOutput $log
    $null = $watch.Handle
    $null = $script:processes.Add($watch)
    Start-Sleep -Seconds 5
    $watch.Refresh()
    $begun = $watch.TotalProcessorTime
    Start-Sleep -Seconds 10
    $watch.Refresh()
    $share = ($watch.TotalProcessorTime - $begun).TotalSeconds / 10
    $watch.WaitForExit()
    $count = @((FromJson (Get-Content $log | Select-Object -Last 1)).connections | Where-Object { $_ }).Count
    Check "watch takes at most 3 % of a core ($count connections)" ($share -le 0.03) ('{0:P1}' -f $share)
}

# Conditions: a process that exits, and an event (1033: a connection was opened).
function Check-Conditions {
    $sleeper = Start-Process powershell '-NoProfile -Command Start-Sleep 90' -PassThru -WindowStyle Hidden
    $null = $script:processes.Add($sleeper)
    $run = Record 'netsh' (Join-Path $folder 'exit.etl') @('--for', '120s', '--until', 'process', 'exit', "$($sleeper.Id)") { Stop-Process -Id $sleeper.Id -Force; 1 }
    Check '--until process exit' ($run.Document.stopReason -eq 'trigger') "$($run.Output) $($run.Error)"
    $run = Record 'netsh' (Join-Path $folder 'event.etl') @('--for', '60s', '--until', 'event', '1033')
    Check '--until event' ($run.Document.trigger.what -match '1033') "$($run.Output) $($run.Error)"
}

# Sessions that begin new files: enough to fill several, though a file of pktmon is closed by 16 MiB for each processor.
function Check-Split([string]$Engine) {
    $gateway = Get-Gateway
    if (-not $gateway) { return Skip "$Engine begins new files" 'this machine has no gateway to send to' }
    $megabytes = 60 + 17 * [Environment]::ProcessorCount
    if ($megabytes -gt 400) { $megabytes = 400 }
    $out = Join-Path $folder "split-$Engine.tcpdiag"
    $isEtw = $Engine -eq 'etw'
    if ($isEtw) { $null = Start-Beside (Join-Path $folder 'beside-split.etl') }
    try { $run = Record $Engine $out @('--for', '75s', '--size', '1gib', '--snap', '1500', '--all', '--split', '20mb') { Send-Datagrams $gateway $megabytes } } finally { Stop-Recordings }
    Check "$Engine split had traffic" ($run.Sent -gt 20000000) "$($run.Sent) bytes, $($script:refusal)"
    Check "$Engine split records" ($run.ExitCode -eq 0 -and (IsClean)) "$($run.ExitCode) $($run.Error)"
    if (-not (Test-Path $out)) { return Check "$Engine begins new files" $false 'no bundle' }
    $pieces = @((FromJson (Read-Entry $out 'manifest.json')).files | Where-Object { $_.kind -eq 'trace' })
    Check "$Engine begins new files" ($pieces.Count -ge 2) "$($pieces.Count) files of $($run.Document.bytes) bytes, $($run.Document.packets) packets"
    $info = Info $out
    Check "info reads all files of $Engine" ($info.packets -gt 0 -and $info.packets -eq $run.Document.packets) "$($info.packets) of $($run.Document.packets) packets"
    $null = Tcpdiag analyze $out
    Check "analyze reads all files of $Engine" ($LASTEXITCODE -in 0, 4) "exit code $LASTEXITCODE"
}

# A trace on the disk of its recording moves there out of a folder for administrators: it has the rights of a file that is made where it is.
function Check-Rights {
    $out = Join-Path $folder 'rights.etl'
    $null = Record 'netsh' $out @()
    if (-not (Test-Path $out)) { return Check 'a trace to look at' $false 'none was recorded' }
    $made = Join-Path $folder 'made.txt'
    Set-Content $made 'made here'
    $own = @((Get-Acl $out).Access | Where-Object { -not $_.IsInherited })
    Check 'a trace inherits the rights of its folder' ($own.Count -eq 0 -and -not (Get-Acl $out).AreAccessRulesProtected) (Get-Acl $out).Sddl
    Check 'a trace has the rights of a file that was made there' (((Get-Acl $out).Access | Out-String) -eq ((Get-Acl $made).Access | Out-String)) "$((Get-Acl $out).Sddl) and $((Get-Acl $made).Sddl)"
    Check 'a trace has the owner of a file that was made there' ((Get-Acl $out).Owner -eq (Get-Acl $made).Owner) "$((Get-Acl $out).Owner) and $((Get-Acl $made).Owner)"
}

# A folder that somebody else may change is not trusted.
function Check-Trust {
    $ErrorActionPreference = 'Continue'
    icacls (Split-Path $left) /grant '*S-1-5-32-545:(M)' | Out-Null
    try { $run = Record 'netsh' (Join-Path $folder 'untrusted.etl') @() } finally { icacls (Split-Path $left) /remove '*S-1-5-32-545' | Out-Null }
    Check 'a folder that users may change is not trusted' ($run.ExitCode -eq 1 -and $run.Error -match 'S-1-5-32-545\)? may change it') "$($run.ExitCode) $($run.Error)"
}

# A recorder that is killed: the next start finishes its recording.
function Check-Killed {
    $out = Join-Path $folder 'killed.etl'
    $recorder = Start-Recorder @('capture', '--match', 'tcp', '--engine', 'netsh', '--for', '300s', '--out', $out)
    Check 'a recorder to kill records' (Wait-Recording $recorder) $recorder.Text
    $sent = Send-Downloads
    Check 'it had traffic to record' ($sent -gt 0) $script:refusal
    $recorder.Process.Kill()
    $recorder.Process.WaitForExit()
    Check 'a killed recorder leaves its session' (-not (IsClean)) 'nothing was left to recover'
    $recovered = Tcpdiag capture recover
    Check 'recover finishes it' ((Test-Path $out) -and (IsClean)) $recovered
    if (Test-Path $out) { Check 'the trace of a killed recorder has packets' ((Info $out).packets -gt 0) $out }
}

# Ctrl-C, which all programs of this console get: this one is told to leave it aside. netsh takes a while to stop; what it says meanwhile, and a second Ctrl-C then, must not end the recorder.
function Check-Interrupted {
    $console = Add-Type -PassThru -Namespace TcpdiagCheck -Name Console -MemberDefinition @'
[DllImport("kernel32.dll", SetLastError = true)] public static extern bool GenerateConsoleCtrlEvent(uint ctrlEvent, uint group);
[DllImport("kernel32.dll", SetLastError = true)] public static extern bool SetConsoleCtrlHandler(IntPtr handler, bool add);
'@
    # What is started now must hear it, whatever this console was told before.
    $null = $console::SetConsoleCtrlHandler([IntPtr]::Zero, $false)
    $out = Join-Path $folder 'interrupted.etl'
    $recorder = Start-Recorder @('capture', '--match', 'tcp', '--engine', 'netsh', '--for', '300s', '--out', $out)
    Check 'a recorder to interrupt records' (Wait-Recording $recorder) $recorder.Text
    $null = Send-Downloads
    $null = $console::SetConsoleCtrlHandler([IntPtr]::Zero, $true)
    try {
        Check 'Ctrl-C is sent' ($console::GenerateConsoleCtrlEvent(0, 0)) 'this script has no console'
        Start-Sleep -Milliseconds 500
        $null = $console::GenerateConsoleCtrlEvent(0, 0)
        Wait-End $recorder
    } finally { $null = $console::SetConsoleCtrlHandler([IntPtr]::Zero, $false) }
    Check 'Ctrl-C ends a recording as time does' ($recorder.Process.ExitCode -eq 0 -and (Test-Path $out) -and (IsClean)) "$($recorder.Process.ExitCode) $($recorder.Text)"
    if (Test-Path $out) { Check 'an interrupted recording has packets' ((Info $out).packets -gt 0) $out }
}

# Real TCP to another machine, recorded at both ends.
function Check-Peer {
    $matrix = Join-Path $folder 'peer.yaml'
    "flow: {bytes: 10mb}`niterations: 1`nsides: {only: {}}" | Set-Content $matrix
    $out = Join-Path $folder 'peer'
    $lab = @((FromJson (Tcpdiag lab run $matrix --peer $Peer --token-file $TokenFile --out $out --json | Out-String)).results)[0]
    Check 'another machine receives' ($lab.receiver.bytes -eq 10000000) $lab.fault
    foreach ($end in 'sender', 'receiver') {
        $trace = @(Get-ChildItem $out -Recurse -Filter "$end.*" | Where-Object { $_.Extension -in '.etl', '.pcapng', '.tcpdiag' })
        Check "the $end was recorded" ($trace.Count -gt 0 -and (Info $trace[0].FullName).records -gt 0) "$($trace.Count) traces"
    }
}

# Somebody else's recording is left alone.
function Check-Foreign {
    $ErrorActionPreference = 'Continue'
    netsh trace start capture=yes tracefile=$(Join-Path $folder 'other.etl') report=disabled | Out-Null
    $null = $script:recordings.Add('netsh trace stop')
    $run = Record 'netsh' (Join-Path $folder 'refused.etl') @()
    Check 'another recording is not stopped' ($run.ExitCode -eq 1 -and $run.Error -match 'another recording runs') "$($run.ExitCode) $($run.Error)"
    $run = Record 'netsh' (Join-Path $folder 'taken.etl') @('--take-over')
    Check '--take-over stops it' ($run.ExitCode -in 0, 4) "$($run.ExitCode) $($run.Error)"
    if ($run.ExitCode -in 0, 4) { $script:recordings.Clear() } else { Stop-Recordings }
}

# Packets through WinDivert. Round-trip times of pings, in ms; none for one that got no answer.
function Ping4([int]$Count) {
    $ping = New-Object Net.NetworkInformation.Ping
    1..$Count | ForEach-Object { $ping.Send($Target, 2000) } | Where-Object { $_.Status -eq 'Success' } | ForEach-Object { $_.RoundtripTime }
}

function StartShim([string]$More) {
    $log = Join-Path $folder ([Guid]::NewGuid().ToString('N') + '.json')
    $process = Start-Process $Tcpdiag "shim run --match `"icmp host $Target`" $More --driver $(Quote $Driver) --json" -PassThru -WindowStyle Hidden -RedirectStandardOutput $log
    $null = $process.Handle
    $null = $script:processes.Add($process)
    Start-Sleep -Seconds 3
    [pscustomobject]@{ Process = $process; Log = $log }
}

function EndShim($Shim) {
    if (-not $Shim.Process.WaitForExit(60000)) { $Shim.Process.Kill(); $Shim.Process.WaitForExit() }
    FromJson (Get-Content $Shim.Log -Raw)
}

function Check-Shim {
    $doctor = FromJson (Tcpdiag shim doctor --driver $Driver --load --json | Out-String)
    $checks = @($doctor.checks | Where-Object { $_ })
    Check 'doctor looks at something' ($checks.Count -ge 5) $checks.Count
    foreach ($one in $checks) { Check "doctor: $($one.name)" ($one.holds -ne $false) "$($one.found) $($one.cure)" }
    if (-not $Target) { return Check 'a machine to ping' $false 'this one has no gateway; name one with -Target' }

    $before = @(Ping4 5)
    Check "$Target answers pings" ($before.Count -eq 5) $before.Count
    $shim = StartShim '--rtt 60ms --for 15s'
    $delayed = @(Ping4 5)
    $report = EndShim $shim
    Check 'the shim delays' ($delayed.Count -gt 0 -and ($delayed | Measure-Object -Minimum).Minimum -ge 60) ($delayed -join ' ')
    Check 'its run is valid' ($report -and $null -eq $report.report.fault) $report.report.fault
    Check 'it met every ping and answer' ($report.report.figures.offered -eq 10) $report.report.figures.offered
    Check 'half of the delays are kept within a millisecond' ($report -and $report.report.figures.delayErrorP50Ns -lt 1000000) $report.report.figures.delayErrorP50Ns
    Check 'its timers are of high resolution' ($report -and @($report.report.notes | Where-Object { $_ }).Count -eq 0) ($report.report.notes -join ' ')

    $shim = StartShim '--loss 100pct --for 60s'
    Check 'the shim drops' (@(Ping4 2).Count -eq 0) 'pings were answered'
    Get-CimInstance Win32_Process -Filter "ParentProcessId = $($shim.Process.Id)" | ForEach-Object { Stop-Process -Id $_.ProcessId -Force }
    Check 'a killed shim lets packets pass' (@(Ping4 3).Count -eq 3) 'pings were not answered'
    $null = EndShim $shim

    $shim = StartShim '--windivert-filter "outbound and icmp" --duplicate every:1 --for 10s'
    $null = Ping4 3
    $report = EndShim $shim
    Check 'a filter of the driver is used' ($report.report.figures.offered -eq 3 -and $report.report.figures.forwarded -eq 6) "$($report.report.figures.offered) $($report.report.figures.forwarded)"

    # Both ends of an experiment here: the stack hands packets over inside, and the driver sees them leaving, both ways.
    $matrix = Join-Path $folder 'lab.yaml'
    "path: {delay: 5ms, limit: 50ms}`nflow: {bytes: 1mb}`niterations: 1`nsides: {only: {}}" | Set-Content $matrix
    $lab = @((FromJson (Tcpdiag lab run $matrix --ends 127.0.0.1+127.0.0.2 --driver $Driver --out (Join-Path $folder 'lab') --json | Out-String)).results)[0]
    Check 'an experiment between two addresses' ($lab.receiver.bytes -eq 1000000) $lab.fault
    Check 'its path met both ways' ($lab.link.figures.offered -gt 0) $lab.link.figures.offered
}

# One part that breaks is one failed check; the others go on.
function Run([string]$Name, [scriptblock]$Part) {
    try { & $Part } catch { $script:failed++; "FAIL  ${Name}: $($_.Exception.Message) at $($_.InvocationInfo.ScriptLineNumber)" }
}

try {
    "Windows $([Environment]::OSVersion.Version), $((Get-Culture).Name), PowerShell $($PSVersionTable.PSVersion)"
    Run 'netsh' { Check-Engine 'netsh' $true }
    if ($hasPktmon) { Run 'pktmon' { Check-Engine 'pktmon' $hasPktmonEvents } } else { Skip 'pktmon' "build $build has none" }
    Run 'etw' { Check-Etw }
    Run 'filter and ring' { Check-FilterAndRing }
    Run 'redaction' { Check-Redaction }
    Run 'redaction of a bundle' { Check-RedactedBundle }
    Run 'watch' { Check-Watch }
    Run 'conditions' { Check-Conditions }
    Run 'etw split' { Check-Split 'etw' }
    if ($hasPktmonPieces) { Run 'pktmon split' { Check-Split 'pktmon' } } else { Skip 'pktmon split' "pktmon of build $build has no mode that begins new files" }
    Run 'rights' { Check-Rights }
    Run 'trust' { Check-Trust }
    Run 'a killed recorder' { Check-Killed }
    Run 'an interrupted recorder' { Check-Interrupted }
    Run 'a foreign recording' { Check-Foreign }
    if ($Peer) { Run 'a peer' { Check-Peer } } else { Skip 'a peer' 'no -Peer' }
    if ($Driver) {
        if (-not $Target) { $Target = Get-Gateway }
        Run 'shim' { Check-Shim }
    } else {
        Skip 'shim' 'no -Driver'
    }
} catch {
    $script:failed++
    "FAIL  the script itself: $($_.Exception.Message) at $($_.InvocationInfo.ScriptLineNumber)"
} finally {
    # One that ends by itself in between cannot be killed, and need not be.
    foreach ($process in $script:processes) { try { if (-not $process.HasExited) { $process.Kill() } } catch { if (-not $process.HasExited) { "left: process $($process.Id), $($_.Exception.Message)" } } }
    Stop-Recordings
    if (-not (IsClean)) { $null = Tcpdiag capture recover }
    "$($script:failed) checks failed"
    "results in $folder"
}

exit $script:failed
