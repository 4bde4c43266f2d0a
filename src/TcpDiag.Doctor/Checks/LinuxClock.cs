using System.Collections.Generic;
using System.Runtime.Versioning;
using TcpDiag.Analysis.Findings;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Doctor.Checks;

/// <summary>Whether Linux's clock follows a time server, as the kernel knows it. Certificates and the order of recordings depend on it, speed does
/// not.</summary>
[SupportedOSPlatform("linux")]
static class LinuxClock
{
    public static IEnumerable<Check> Check() =>
    [
        KernelClock.IsSynchronised() switch
        {
            true => new(CheckIds.Clock, CheckResult.Fine, "the clock follows a time server"),
            false => new(CheckIds.Clock, CheckResult.Note, "the clock follows no time server: certificates may fail, recordings of two machines do not fit")
            {
                Remedy = new("Has the clock follow a time server.", "timedatectl set-ntp true", "timedatectl set-ntp false", Doer.Administrator),
                BearsOn = [FindingIds.ClockStep],
            },
            _ => new(CheckIds.Clock, CheckResult.Unknown, "the kernel does not tell"),
        },
    ];
}
