using System;
using System.Buffers.Binary;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.StandIns;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Capture.Tests.Snapshots;

/// <summary>The questions to Windows against sample answers, in the form that PowerShell 5.1 gives them.</summary>
public sealed class WindowsSnapshotTests
{
    const string Rss = """[{"Name":"Ethernet","Enabled":true,"Profile":4,"NumberOfReceiveQueues":8,"BaseProcessorNumber":0,"MaxProcessors":8},{"Name":"WLAN","Enabled":false,"Profile":null}]""";
    const string Routes = """{"InterfaceAlias":"Ethernet","DestinationPrefix":"0.0.0.0/0","NextHop":"192.168.1.1","RouteMetric":0,"InterfaceMetric":25}""";
    const string Filters = """{"SettingName":"Datacenter","Protocol":"TCP","LocalPortStart":0,"LocalPortEnd":65535,"RemotePortStart":443,"RemotePortEnd":443,"DestinationPrefix":"10.0.0.0/8"}""";
    const string Dns = """[{"InterfaceAlias":"Ethernet","AddressFamily":2,"ServerAddresses":["192.168.1.1","1.1.1.1"]},{"InterfaceAlias":"Ethernet","AddressFamily":23,"ServerAddresses":[]}]""";
    const string Interfaces = """[{"PSChildName":"{0f1e}","TcpAckFrequency":1,"TcpDelAckTicks":null,"TCPNoDelay":1},{"PSChildName":"{2d3c}","TcpAckFrequency":null,"TCPNoDelay":null}]""";
    const string Dump = "# ----\n# Конфигурация TCP\n# ----\npushd interface tcp\n\nreset\n\nset global rss=enabled hystart=enabled prr=enabled\nset "
        + "supplemental template=internet minrto=300\n\npopd\n";
    const string Afd = """{"DefaultReceiveWindow":null,"DefaultSendWindow":65536,"PSPath":"Microsoft.PowerShell.Core\\Registry::HKEY_LOCAL_MACHINE"}""";

    [Theory]
    [InlineData("rss", Rss, "Ethernet Enabled=true", "Ethernet Profile=4", "Ethernet NumberOfReceiveQueues=8", "Ethernet BaseProcessorNumber=0",
        "Ethernet MaxProcessors=8", "WLAN Enabled=false")]
    [InlineData("routes", Routes, "Ethernet 0.0.0.0/0 NextHop=192.168.1.1", "Ethernet 0.0.0.0/0 RouteMetric=0", "Ethernet 0.0.0.0/0 InterfaceMetric=25")]
    [InlineData("dns", Dns, "Ethernet 2 ServerAddresses=192.168.1.1,1.1.1.1")]
    [InlineData("afd-registry", Afd, " DefaultSendWindow=65536")]
    [InlineData("tcp-template-filters", Filters, "Datacenter TCP 0 443 10.0.0.0/8 LocalPortEnd=65535", "Datacenter TCP 0 443 10.0.0.0/8 RemotePortEnd=443")]
    [InlineData("tcp-interface-registry", Interfaces, "{0f1e} TcpAckFrequency=1", "{0f1e} TCPNoDelay=1")]
    [InlineData("winhttp-proxy", """{"WinHttpSettings":[24,0,0,0,0,0,0,0,3,0,0,0,8,0,0,0,112,114,111,120,121,58,56,48,7,0,0,0,60,108,111,99,97,108,62]}""", " Flags=3", " Proxy=proxy:80", " Bypass=<local>")]
    [InlineData("winhttp-proxy", """{"WinHttpSettings":[24,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0]}""", " Flags=1")]
    [InlineData("winhttp-proxy", """{"WinHttpSettings":[70,0,0,0,2,0,0,0,5,0,0,0,0,0,0,0,0,0,0,0,9,0,0,0,104,116,116,112,58,47,47,97,47,0,0,0,0]}""", " Flags=5", " AutoConfigUrl=http://a/")]
    [InlineData("winhttp-proxy", """{"WinHttpSettings":[24,0,0,0,0,0,0,0,3,0,0,0,255,255,255,255,65]}""", " Flags=3")]
    [InlineData("winhttp-proxy", """{"WinHttpSettings":[24,0]}""", " WinHttpSettings=not readable")]
    [InlineData("winhttp-proxy", """{"WinHttpSettings":null}""")]
    [InlineData("afd-registry", "")]
    [InlineData("firewall", "")]
    public void Take_Answer_BecomesFacts(string section, string answer, params string[] expected)
    {
        SnapshotSection found = Take(section, new(0, answer));

        Assert.Null(found.Problem);
        Assert.Equal(expected, found.Facts.Select(fact => $"{fact.Subject} {fact.Name}={fact.Value}"));
    }

    [Theory]
    [InlineData(1, "Get-CimInstance : Accès refusé", "PowerShell ended with exit code 1: 'Get-CimInstance : Accès refusé'")]
    [InlineData(null, "", "PowerShell ended with no end within its time limit, without a word")]
    public void Take_MissingRights_AreNamed(int? exitCode, string said, string problem)
    {
        SnapshotSection found = Take("rss", new(exitCode, said));

        Assert.Equal(problem, found.Problem);
        Assert.Empty(found.Facts);
    }

    [Fact]
    public void Take_Garbage_IsNamed() =>
        Assert.StartsWith("'<' is an invalid start of a value", Take("rss", new(0, "<xml/>")).Problem, StringComparison.Ordinal);

    [Fact]
    public void Call_CimClass_IsAskedByNameAndAnsweredAsJson() => Assert.Equal(
        "$ErrorActionPreference='Stop'; [Console]::OutputEncoding=New-Object Text.UTF8Encoding $false; "
            + "Get-CimInstance -Namespace 'root/StandardCimv2' -ClassName 'MSFT_NetAdapterLsoSettingData' | Select-Object "
            + "Name,V1IPv4Enabled,IPv4Enabled,IPv6Enabled | ConvertTo-Json -Compress -Depth 2",
        WindowsSnapshot.Queries.Single(query => query.Name is "lso").Call().Arguments[^1]);

    [Fact]
    public void Take_SettingsThatNoClassHas_AreReadFromTheDumpInAnyLanguage()
    {
        SnapshotSection found = Take(new Answering("netsh interface tcp dump", new(0, Dump)), "tcp-global");

        Assert.Equal(
            ["global rss=enabled", "global hystart=enabled", "global prr=enabled", "supplemental template=internet", "supplemental minrto=300"],
            found.Facts.Select(fact => $"{fact.Subject} {fact.Name}={fact.Value}"));
    }

    [Fact]
    public void Take_DumpIsRefused_IsNamed() => Assert.Equal(
        "`netsh interface tcp dump` ended with exit code 1: 'no'",
        Take(new Answering("netsh interface tcp dump", new(1, "no")), "tcp-global").Problem);

    [Fact]
    public void Call_RegistryKey_IsReadWhereItIs() => Assert.Contains(
        @"; &{ if (Test-Path -LiteralPath 'HKLM:\SYSTEM\CurrentControlSet\Services\AFD\Parameters') { Get-ItemProperty -LiteralPath 'HKLM:\SYSTEM\CurrentControlSet\Services\AFD\Parameters' } } | Select-Object DefaultReceiveWindow,",
        WindowsSnapshot.Queries.Single(query => query.Name is "afd-registry").Call().Arguments[^1],
        StringComparison.Ordinal);

    [Fact]
    public void Take_InterruptedBefore_StartsNoProgram()
    {
        var machine = new Answering(string.Empty, new(0, string.Empty));

        Assert.Throws<OperationCanceledException>(() => WindowsSnapshot.Take(machine, TimeProvider.System, new CancellationToken(canceled: true)));
        Assert.Equal(0, machine.Programs);
    }

    [Fact]
    public void Queries_Names_AreDistinct() =>
        Assert.Equal(WindowsSnapshot.Queries.Count, WindowsSnapshot.Queries.Select(query => query.Name).Distinct(StringComparer.Ordinal).Count());

    static SnapshotSection Take(string section, ProgramResult answer) =>
        Take(new Answering(WindowsSnapshot.Queries.Single(query => string.Equals(query.Name, section, StringComparison.Ordinal)).Call().ToString(), answer),
            section);

    static SnapshotSection Take(Answering machine, string section)
    {
        SystemSnapshot snapshot = WindowsSnapshot.Take(machine, TimeProvider.System, CancellationToken.None);
        Assert.Equal("Windows build 26100", snapshot.OperatingSystem);
        return snapshot.Sections.Single(found => string.Equals(found.Name, section, StringComparison.Ordinal));
    }

    sealed class Answering(string line, ProgramResult answer) : QuietMachine
    {
        int _programs;

        public int Programs => _programs;

        public override ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null)
        {
            Interlocked.Increment(ref _programs);
            return string.Equals(call.ToString(), line, StringComparison.Ordinal) ? answer : new(0, string.Empty);
        }
    }
}

/// <summary>FWPM_CALLOUT0 as a 64-bit Windows lays it out; the calls that fetch it need one.</summary>
public sealed class WfpCalloutsTests
{
    static readonly Guid Key = new("e0d5f1d3-0b0b-4f2b-8d3b-0f3b4c2a9d11");
    static readonly Guid Layer = new("3b89653c-c170-49e4-b1cd-e0eeeee19a3e");

    [Theory]
    [InlineData(0x0004_0000u, 3)]
    [InlineData(0x0001_0000u, 0)]
    public void Facts_Callout_IsListedWhenADriverImplementsIt(uint flags, int facts)
    {
        nint name = Marshal.StringToHGlobalUni("Acme VPN stream inspection");
        byte[] callout = GC.AllocateArray<byte>(88, pinned: true);
        Key.TryWriteBytes(callout);
        BinaryPrimitives.WriteInt64LittleEndian(callout.AsSpan(16), name);
        BinaryPrimitives.WriteUInt32LittleEndian(callout.AsSpan(32), flags);
        Layer.TryWriteBytes(callout.AsSpan(64));
        BinaryPrimitives.WriteUInt32LittleEndian(callout.AsSpan(80), 77);

        var found = WfpCallouts.Facts([Marshal.UnsafeAddrOfPinnedArrayElement(callout, 0)]);
        Marshal.FreeHGlobal(name);

        SnapshotFact[] all = [new(Key.ToString(), "name", "Acme VPN stream inspection"), new(Key.ToString(), "layer", Layer.ToString()),
            new(Key.ToString(), "id", "77")];
        Assert.Equal(all[..facts], found);
    }
}
