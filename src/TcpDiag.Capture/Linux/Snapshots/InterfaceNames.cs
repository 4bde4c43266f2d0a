using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>Names of interfaces by their numbers, from /sys/class/net.</summary>
sealed class InterfaceNames
{
    readonly Dictionary<int, string> _names = [];

    /// <summary>All names.</summary>
    public IEnumerable<string> All => _names.Values;

    /// <summary>Reads the names.</summary>
    /// <returns>The names.</returns>
    public static InterfaceNames Read()
    {
        var names = new InterfaceNames();
        foreach (string folder in Directory.EnumerateDirectories("/sys/class/net"))
        {
            if (File.Exists($"{folder}/ifindex") && int.TryParse(File.ReadAllText($"{folder}/ifindex"), NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out int index))
            {
                names._names[index] = Path.GetFileName(folder);
            }
        }

        return names;
    }

    /// <summary>A name.</summary>
    /// <param name="index">Number of the interface.</param>
    /// <returns>Its name, or the number when it has none.</returns>
    public string Of(int index) => _names.GetValueOrDefault(index) ?? index.ToString(CultureInfo.InvariantCulture);
}
