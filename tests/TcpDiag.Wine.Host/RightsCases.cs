using System;
using System.Security.AccessControl;
using TcpDiag.Platform;

namespace TcpDiag.Wine.Host;

/// <summary>Security descriptors, in the language of Windows (SDDL), and what is said of them.</summary>
static class RightsCases
{
    // DC on a folder is FILE_ADD_FILE. SY: Local System, BA: Administrators, BU: Users, WD: Everyone, CO: Creator Owner. FA, FR, FX, FW: all, read, execute,
    // write. OICIIO: handed down, not held.
    static readonly (string Name, string Descriptor)[] Cases =
    [
        ("program files", "O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FRFX;;;BU)(A;OICIIO;GA;;;CO)"),
        ("users read", "O:SYG:SYD:(A;;FA;;;BA)(A;;FR;;;BU)"),
        ("users write", "O:BAG:SYD:(A;;FA;;;BA)(A;;FW;;;BU)"),
        ("everyone adds files", "O:BAG:SYD:(A;;FA;;;BA)(A;;DC;;;WD)"),
        ("users change rights", "O:BAG:SYD:(A;;FA;;;BA)(A;;WD;;;BU)"),
        ("users own it", "O:BUG:SYD:(A;;FA;;;BA)"),
        ("users denied", "O:BAG:SYD:(D;;FW;;;BU)(A;;FA;;;BA)"),
    ];

    /// <summary>Prints each judgement.</summary>
    public static void Run()
    {
        foreach ((string name, string descriptor) in Cases)
        {
            DirectorySecurity security = new();
            security.SetSecurityDescriptorSddlForm(descriptor);
            Console.WriteLine($"{name}: {(FileRights.WhyNotPrivate(security, self: null) is null ? "safe" : "weak")}");
        }
    }
}
