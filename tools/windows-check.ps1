<#
.SYNOPSIS
    Does on a real Windows machine what waits there: records with each engine, and looks at what comes out.
.DESCRIPTION
    Run from an elevated Windows PowerShell 5.1 or later, with tcpdiag.exe of the machine's architecture:
        powershell -ExecutionPolicy Bypass -File windows-check.ps1 -Tcpdiag C:\tools\tcpdiag.exe
    Each check prints one line, PASS or FAIL with what was found. The exit code is the number of checks that failed.
    Traffic: downloads from -Url, and pings to -Target when -Driver names the folder of WinDivert (driver/windivert/fetch.ps1). Nothing is left behind but
    the folder that the last line names.
#>
param(
    [Parameter(Mandatory = $true)][string]$Tcpdiag,
    [string]$Url = 'http://www.msftconnecttest.com/connecttest.txt',
    [string]$Driver,
    [string]$Target
)

$ErrorActionPreference = 'Stop'
$identity = New-Object Security.Principal.WindowsPrincipal ([Security.Principal.WindowsIdentity]::GetCurrent())
if (-not $identity.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) { throw 'Run this from an elevated prompt: recording and diverting need it.' }

$folder = Join-Path $env:TEMP ("tcpdiag-check-" + [Guid]::NewGuid().ToString('N'))
$left = Join-Path $env:ProgramData 'tcpdiag\captures'
$null = New-Item -ItemType Directory $folder
$script:failed = 0

# $Holds without a type: -match gives back a list where it is asked of one, which is no [bool] to a parameter.
function Check([string]$Name, $Holds, [string]$Found) {
    if ($Holds) { "PASS  $Name" } else { $script:failed++; "FAIL  ${Name}: $Found" }
}

# A folder may have a blank in its name.
function Quote([string]$Argument) { if ($Argument -match '\s') { "`"$Argument`"" } else { $Argument } }

# What failed has printed nothing, or no JSON: that is a failed check, not the end of the script.
function FromJson([string]$Text) { try { if ($Text) { $Text | ConvertFrom-Json } } catch { $null } }

function IsClean { -not (Test-Path $left) -or @(Get-ChildItem $left).Count -eq 0 }

function Record([string]$Engine, [string]$Out, [string[]]$More) {
    $arguments = @('capture', '--engine', $Engine, '--out', $Out, '--json') + $More
    if ($More -notcontains '--match') { $arguments += '--match', 'tcp' }
    if ($More -notcontains '--for') { $arguments += '--for', '8s' }
    $start = New-Object Diagnostics.ProcessStartInfo $Tcpdiag, (($arguments | ForEach-Object { Quote $_ }) -join ' ')
    $start.UseShellExecute = $false
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $process = [Diagnostics.Process]::Start($start)
    $text = $process.StandardError.ReadToEndAsync()
    $arrived = 0
    foreach ($attempt in 1..3) {
        Start-Sleep -Seconds 2
        try { $null = Invoke-WebRequest -UseBasicParsing $Url; $arrived++ } catch { $script:refusal = $_.Exception.Message }
    }
    $output = $process.StandardOutput.ReadToEnd()
    $process.WaitForExit()
    [pscustomobject]@{ ExitCode = $process.ExitCode; Output = $output; Document = FromJson $output; Error = $text.Result; Downloads = $arrived }
}

"Windows $([Environment]::OSVersion.Version), $((Get-Culture).Name)"

foreach ($engine in 'netsh', 'pktmon') {
    $out = Join-Path $folder "$engine.tcpdiag"
    $run = Record $engine $out @()
    Check "$engine had traffic to record" ($run.Downloads -gt 0) "$($script:refusal)"
    Check "$engine records" ($run.ExitCode -eq 0) "exit code $($run.ExitCode), $($run.Error)"
    if ($run.ExitCode -notin 0, 4) { continue }
    $document = $run.Document
    Check "$engine has packets" ($document.packets -gt 0) $document.packets
    Check "$engine has events of the TCP stack" ($document.stackEvents -gt 0) ($document.remarks -join '; ')
    Check "$engine lost nothing" ($document.lostEvents -eq 0) $document.lostEvents
    $info = FromJson (& $Tcpdiag info $out --json | Out-String)
    Check "$engine trace is whole" (@($info.files)[0].complete) (@($info.files)[0].problems | ConvertTo-Json -Compress)
    $analysis = FromJson (& $Tcpdiag analyze $out --json | Out-String)
    Check "$engine shows connections" ($analysis.connections.Count -gt 0) $analysis.connections.Count
    Check "$engine snapshot is used by analyze" ($null -ne $analysis.machine) 'machine is null'
    Add-Type -AssemblyName System.IO.Compression.FileSystem
    $zip = [IO.Compression.ZipFile]::OpenRead($out)
    try {
        $reader = New-Object IO.StreamReader $zip.GetEntry('snapshot.json').Open()
        $snapshot = $reader.ReadToEnd() | ConvertFrom-Json
        $reader.Dispose()
    } finally { $zip.Dispose() }
    foreach ($section in $snapshot.sections) {
        # Servers have no security center.
        if ($section.name -eq 'antivirus' -and (Get-CimInstance Win32_OperatingSystem).ProductType -ne 1) { continue }
        Check "snapshot $($section.name)" ($null -eq $section.problem) "$($section.problem)"
    }
    Check "$engine leaves nothing" (IsClean) "$(Get-ChildItem $left -ErrorAction SilentlyContinue)"
}

# A session of our own: events alone, and packets while pktmon captures beside it.
$out = Join-Path $folder 'etw.etl'
$run = Record 'etw' $out @()
Check 'etw records events' ($run.ExitCode -eq 0) "exit code $($run.ExitCode), $($run.Error)"
Check 'etw says why there are no packets' ($run.Document.remarks -match 'nobody kept pktmon or netsh capturing') $run.Output
pktmon start --capture --comp nics --file-name (Join-Path $folder 'beside.etl') | Out-Null
try { $run = Record 'etw' $out @() } finally { pktmon stop | Out-Null }
Check 'etw has packets beside pktmon' ($run.Document.packets -gt 0) $run.Output
Check 'etw leaves nothing' ((IsClean) -and -not (logman query -ets | Select-String 'tcpdiag-')) "$(logman query -ets)"

# A filter that takes, and a ring: what a remark says of them is printed, to be read.
$run = Record 'pktmon' (Join-Path $folder 'filtered.etl') @('--match', 'tcp', 'port', '80')
Check 'a filter of pktmon takes' ($run.Document -and -not ($run.Document.remarks -match 'were not asked for')) $run.Output
$run = Record 'netsh' (Join-Path $folder 'ring.etl') @('--ring', '5s', '--size', '2mib')
Check 'a ring records' ($run.ExitCode -in 0, 4) "$($run.ExitCode) $($run.Error)"
"ring: $($run.Document.remarks -join '; ')"

# What we write, opened by Windows itself: a redacted trace is written anew from its first byte to its last.
$original = Join-Path $folder 'filtered.etl'
$redacted = Join-Path $folder 'redacted.etl'
& $Tcpdiag redact $original $redacted --verify | Out-Null
Check 'redact leaves no name and no address' ($LASTEXITCODE -eq 0 -and (Test-Path $redacted)) "exit code $LASTEXITCODE"
$csv = Join-Path $folder 'redacted.csv'
tracerpt $redacted -o $csv -of CSV -summary (Join-Path $folder 'redacted.txt') -y | Out-Null
Check 'Windows opens a trace that we wrote' ($LASTEXITCODE -eq 0 -and (Test-Path $csv) -and (Get-Item $csv).Length -gt 0) "tracerpt: exit code $LASTEXITCODE"

# The same number of events of the TCP stack by us and by the decoder of Windows. Our count is of what info lists for the provider.
$tcpip = '2f07e2ee-15db-40f1-90ef-9d7ba282188a'
$theirs = @(Get-WinEvent -Path $original -Oldest -ErrorAction SilentlyContinue | Where-Object { $_.ProviderId -eq $tcpip }).Count
$ours = (@((FromJson (& $Tcpdiag info $original --json | Out-String)).files)[0].providers | Where-Object { $_.guid -eq $tcpip }).count
Check 'Windows reads as many events of the TCP stack as we do' ($theirs -gt 0 -and $theirs -eq $ours) "$theirs and $ours"

# A live view: two documents, the second with connections; the session ends with it.
$lines = @(& $Tcpdiag watch --for 3s --interval 1s --json)
Check 'watch prints a document a line' ($LASTEXITCODE -eq 0 -and $lines.Count -ge 3 -and (FromJson $lines[-1]).schema -eq 'tcpdiag/watch/1') "$LASTEXITCODE, $($lines.Count) lines"
Check 'watch shows connections' ($lines.Count -gt 0 -and @((FromJson $lines[-1]).connections).Count -gt 0) 'none'
Check 'watch leaves no session' (-not (logman query -ets | Select-String 'tcpdiag-live')) "$(logman query -ets)"

# Conditions: a process that exits, and an event (1033: a connection was opened).
$sleeper = Start-Process powershell '-Command Start-Sleep 12' -PassThru -WindowStyle Hidden
$run = Record 'netsh' (Join-Path $folder 'exit.etl') @('--for', '60s', '--until', 'process', 'exit', $sleeper.Id)
Check '--until process exit' ($run.Document.stopReason -eq 'trigger') "$($run.Output) $($run.Error)"
$run = Record 'netsh' (Join-Path $folder 'event.etl') @('--for', '60s', '--until', 'event', '1033')
Check '--until event' ($run.Document.trigger.what -match '1033') "$($run.Output) $($run.Error)"

# Sessions that begin new files.
foreach ($engine in @('etw') + @(if ([Environment]::OSVersion.Version.Build -ge 19041) { 'pktmon' })) {
    $run = Record $engine (Join-Path $folder "split-$engine.tcpdiag") @('--for', '30s', '--split', '20mb')
    Check "$engine begins new files" ($run.ExitCode -eq 0 -and (IsClean)) "$($run.ExitCode) $($run.Error)"
}

# A folder that somebody else may change is not trusted.
icacls (Split-Path $left) /grant '*S-1-5-32-545:(M)' | Out-Null
try { $run = Record 'netsh' (Join-Path $folder 'untrusted.etl') @() } finally { icacls (Split-Path $left) /remove '*S-1-5-32-545' | Out-Null }
Check 'a folder that users may change is not trusted' ($run.ExitCode -eq 1 -and $run.Error -match 'S-1-5-32-545\)? may change it') "$($run.ExitCode) $($run.Error)"

# A recorder that is killed: the next start finishes its recording.
$out = Join-Path $folder 'killed.etl'
$killed = Start-Process $Tcpdiag "capture --match tcp --engine netsh --for 60s --out $(Quote $out)" -PassThru -WindowStyle Hidden
Start-Sleep -Seconds 25
Stop-Process -Id $killed.Id -Force
Check 'a killed recorder leaves its session' (-not (IsClean)) 'nothing was left to recover'
$recovered = & $Tcpdiag capture recover
Check 'recover finishes it' ((Test-Path $out) -and (IsClean)) "$recovered"
Check 'the trace of a killed recorder opens' (@((FromJson (& $Tcpdiag info $out --json | Out-String)).files)[0].packets -gt 0) $out

# Somebody else's recording is left alone.
netsh trace start capture=yes tracefile=$(Join-Path $folder 'other.etl') report=disabled | Out-Null
$run = Record 'netsh' (Join-Path $folder 'refused.etl') @()
Check 'another recording is not stopped' ($run.ExitCode -eq 1 -and $run.Error -match 'another recording runs') "$($run.ExitCode) $($run.Error)"
$run = Record 'netsh' (Join-Path $folder 'taken.etl') @('--take-over')
Check '--take-over stops it' ($run.ExitCode -in 0, 4) "$($run.ExitCode) $($run.Error)"
if ($run.ExitCode -notin 0, 4) { netsh trace stop | Out-Null }

# Packets through WinDivert. Round-trip times of pings, in ms; none for one that got no answer.
function Ping4([int]$Count) {
    $ping = New-Object Net.NetworkInformation.Ping
    @(1..$Count | ForEach-Object { $ping.Send($Target, 2000) } | Where-Object { $_.Status -eq 'Success' } | ForEach-Object { $_.RoundtripTime })
}

function StartShim([string]$More) {
    $log = Join-Path $folder ([Guid]::NewGuid().ToString('N') + '.json')
    $process = Start-Process $Tcpdiag "shim run --match `"icmp host $Target`" $More --driver `"$Driver`" --json" -PassThru -WindowStyle Hidden -RedirectStandardOutput $log
    Start-Sleep -Seconds 3
    [pscustomobject]@{ Process = $process; Log = $log }
}

if ($Driver) {
    if (-not $Target) { $Target = (Get-NetRoute -DestinationPrefix '0.0.0.0/0' | Sort-Object RouteMetric | Select-Object -First 1).NextHop }
    $doctor = FromJson (& $Tcpdiag shim doctor --driver $Driver --load --json | Out-String)
    foreach ($one in $doctor.checks) { Check "doctor: $($one.name)" ($one.holds -ne $false) "$($one.found) $($one.cure)" }

    $before = Ping4 5
    Check "$Target answers pings" ($before.Count -eq 5) $before.Count
    $shim = StartShim '--rtt 60ms --for 15s'
    $delayed = Ping4 5
    $shim.Process.WaitForExit()
    $report = FromJson (Get-Content $shim.Log -Raw)
    Check 'the shim delays' (($delayed | Measure-Object -Minimum).Minimum -ge 60) ($delayed -join ' ')
    Check 'its run is valid' ($report -and $null -eq $report.report.fault) "$($report.report.fault)"
    Check 'it met every ping and answer' ($report.report.figures.offered -eq 10) $report.report.figures.offered
    Check 'half of the delays are kept within a millisecond' ($report.report.figures.delayErrorP50Ns -lt 1000000) $report.report.figures.delayErrorP50Ns
    Check 'its timers are of high resolution' ($report -and $report.report.notes.Count -eq 0) ($report.report.notes -join ' ')

    $shim = StartShim '--loss 100pct --for 60s'
    Check 'the shim drops' ((Ping4 2).Count -eq 0) 'pings were answered'
    Get-CimInstance Win32_Process -Filter "ParentProcessId = $($shim.Process.Id)" | ForEach-Object { Stop-Process -Id $_.ProcessId -Force }
    Check 'a killed shim lets packets pass' ((Ping4 3).Count -eq 3) 'pings were not answered'

    $shim = StartShim '--windivert-filter "outbound and icmp" --duplicate every:1 --for 10s'
    $null = Ping4 3
    $shim.Process.WaitForExit()
    $report = FromJson (Get-Content $shim.Log -Raw)
    Check 'a filter of the driver is used' ($report.report.figures.offered -eq 3 -and $report.report.figures.forwarded -eq 6) "$($report.report.figures.offered) $($report.report.figures.forwarded)"

    # Both ends of an experiment here: the stack hands packets over inside, and the driver sees them leaving, both ways.
    $matrix = Join-Path $folder 'lab.yaml'
    "path: {delay: 5ms, limit: 50ms}`nflow: {bytes: 1mb}`niterations: 1`nsides: {only: {}}" | Set-Content $matrix
    $lab = FromJson (& $Tcpdiag lab run $matrix --ends 127.0.0.1+127.0.0.2 --driver $Driver --out (Join-Path $folder 'lab') --json | Out-String)
    Check 'an experiment between two addresses' (@($lab.results)[0].receiver.bytes -eq 1000000) "$(@($lab.results)[0].fault)"
    Check 'its path met both ways' (@($lab.results)[0].link.figures.offered -gt 0) "$(@($lab.results)[0].link.figures.offered)"
}

"results in $folder"
exit $script:failed
