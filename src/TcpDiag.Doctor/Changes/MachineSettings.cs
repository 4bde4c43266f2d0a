using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Platform;

namespace TcpDiag.Doctor.Changes;

/// <summary>Reads and changes settings of a machine.</summary>
public interface IMachineSettings
{
    /// <summary>The value that a setting has.</summary>
    /// <returns>The value; null where it has none.</returns>
    /// <exception cref="PlatformException">It cannot be read, or is of a form that could not be put back.</exception>
    string? Read(MachineSetting setting);

    /// <summary>Gives a setting a value.</summary>
    /// <exception cref="PlatformException">The system refuses it.</exception>
    void Write(MachineSetting setting, string? value);
}

/// <summary>
/// The settings as programs of the system read and change them. What changes one is the command that people are shown. Programs are given lists of arguments;
/// of what they print, only words are read that are the same in every language.
/// </summary>
/// <param name="run">Runs a program to its end.</param>
public sealed class MachineSettings(Func<ProgramCall, ProgramResult> run) : IMachineSettings
{
    /// <inheritdoc/>
    public string? Read(MachineSetting setting)
    {
        ArgumentNullException.ThrowIfNull(setting);
        return setting.Kind switch
        {
            SettingKind.Sysctl => string.Join(
                ' ', Ask(ProgramCall.Of("sysctl", "-n", setting.Name)).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)),
            SettingKind.Feature => EthtoolText.Feature(Ask(ProgramCall.Of("ethtool", "-k", setting.Subject)), setting),
            SettingKind.PrivateFlag => EthtoolText.Flag(Ask(ProgramCall.Of("ethtool", "--show-priv-flags", setting.Subject)), setting),
            SettingKind.Qdisc => QdiscText.Root(Ask(ProgramCall.Of("tc", "-j", "qdisc", "show", "dev", setting.Subject)), setting),
            SettingKind.TcpTemplate => Ask(PowerShell($"(Get-NetTCPSetting -SettingName {setting.Subject}).{setting.Name}")).Trim() is { Length: > 0 } value
                ? value
                : throw Unreadable(setting),
            SettingKind.TcpGlobal => Global(Ask(ProgramCall.Of("netsh", "interface", "tcp", "dump")), setting),
            SettingKind.RegistryNumber => Number(Ask(ProgramCall.Of("reg", "query", setting.Key)), setting),
            _ => throw Unreadable(setting),
        };
    }

    /// <inheritdoc/>
    public void Write(MachineSetting setting, string? value)
    {
        ArgumentNullException.ThrowIfNull(setting);
        if (!AppliedSettings.Allow(setting, value))
        {
            throw new PlatformException($"`{setting.Command(value ?? string.Empty)}` is not a change that this program makes");
        }

        _ = setting.IsOfPowerShell
            ? Ask(PowerShell(setting.Command(value)))
            : Ask(ProgramCall.Of(setting.Words(value)[0], setting.Words(value).Skip(1)));
    }

    /// <summary>What could not be read.</summary>
    internal static PlatformException Unreadable(MachineSetting setting) => new($"{Name(setting)} cannot be read in a form that could be put back");

    /// <summary>A setting, for people.</summary>
    internal static string Name(MachineSetting setting) => string.Join(' ', ((string[])[setting.Subject, setting.Name]).Where(word => word.Length > 0));

    static ProgramCall PowerShell(string script) =>
        ProgramCall.Of("powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command",
            $"$ErrorActionPreference='Stop'; {script}") with
        { PrintsUtf8 = true };

    string Ask(ProgramCall call)
    {
        ProgramResult result;
        try
        {
            result = run(call);
        }
        catch (CaptureException exception)
        {
            throw new PlatformException(exception.Message);
        }

        return result.Succeeded ? result.Output : throw new PlatformException($"`{call}` ended with {result.Describe()}");
    }

    // set global hystart=enabled prr=enabled
    static string? Global(string dump, MachineSetting setting)
    {
        string[] words = [.. dump.Split('\n').Select(line => line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
            .Where(line => line is ["set", "global", ..]).SelectMany(line => line)];
        return Array.Find(words, word => word.StartsWith(setting.Name + "=", StringComparison.Ordinal)) is { } found
            ? found[(setting.Name.Length + 1)..]
            : throw Unreadable(setting);
    }

    // "    DefaultReceiveWindow    REG_DWORD    0x2000"; a value that is not there was never set.
    static string? Number(string listing, MachineSetting setting)
    {
        string[]? words = listing.Split('\n').Select(line => line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
            .FirstOrDefault(line => line.Length > 0 && string.Equals(line[0], setting.Name, StringComparison.OrdinalIgnoreCase));
        return words switch
        {
            null => null,
            [_, "REG_DWORD", ['0', 'x', .. var digits]] when uint.TryParse(
                digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint number)
                => number.ToString(CultureInfo.InvariantCulture),
            _ => throw Unreadable(setting),
        };
    }
}
