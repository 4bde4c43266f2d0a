using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Linux;
using TcpDiag.Doctor.Changes;
using TcpDiag.Testing;

namespace TcpDiag.Doctor.Tests.Changes;

/// <summary>A network namespace with a veth pair near0 and far0, which ends with the process that holds it.</summary>
sealed class Namespace : IDisposable
{
    readonly Process _holder;

    public Namespace()
    {
        // Its first line says that the namespace is there.
        const string Script = "ip link set lo up && ip link add near0 type veth peer name far0 && ip link set near0 up && ip link set far0 up && echo up && "
            + "exec sleep 120";
        var start = new ProcessStartInfo("unshare", ["-n", "sh", "-c", Script])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        _holder = Process.Start(start)!;
        if (_holder.StandardOutput.ReadLine() is not "up")
        {
            throw new InvalidOperationException("no namespace");
        }
    }

    /// <summary>Its file.</summary>
    public string Path => string.Create(CultureInfo.InvariantCulture, $"/proc/{_holder.Id}/ns/net");

    /// <summary>Its settings, by the programs of the system.</summary>
    public MachineSettings Settings =>
        new(call => LinuxPrograms.Run(new("nsenter", [$"--net={Path}", call.Program, .. call.Arguments]), Patience.Limit));

    /// <summary>Runs a line in it.</summary>
    /// <returns>What it printed.</returns>
    public string Run(string line) => ExternalProgram.Run("nsenter", [$"--net={Path}", "sh", "-c", line]).Output;

    /// <summary>All that is changed here, as the programs print it; handles that the kernel gives are not the same twice.</summary>
    public string All() => string.Join(
        '\n', ((string[])["sysctl -a -r net.ipv4.tcp_ 2> /dev/null", "ethtool -k near0", "tc qdisc show dev near0 | sed 's/ 8[0-9a-f]*: / /'"]).Select(Run));

    public void Dispose()
    {
        _holder.Kill();
        _holder.WaitForExit();
        _holder.Dispose();
    }
}
