using System;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Shim.Linux;

/// <summary>
/// A table below /proc/net, of the namespace the thread was in that opened it, whichever thread reads it later. Rows are lines of words; the first word names the row.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class ProcTable(string name) : IDisposable
{
    const int MaxBytes = 64 * 1024;

    readonly SafeFileHandle _file = File.OpenHandle($"/proc/thread-self/net/{name}");

    /// <summary>A number of a row as it stands now.</summary>
    /// <param name="row">The first word of the row, without a colon.</param>
    /// <param name="column">Which word, the first being 0.</param>
    /// <returns>The number; 0 when there is no such row, number or word.</returns>
    public long Read(string row, int column)
    {
        byte[] bytes = new byte[MaxBytes];
        int length = RandomAccess.Read(_file, bytes, 0);
        foreach (string line in Encoding.ASCII.GetString(bytes, 0, length).Split('\n'))
        {
            string[] words = line.Split([' ', '\t', ':'], StringSplitOptions.RemoveEmptyEntries);
            if (words.Length > column && string.Equals(words[0], row, StringComparison.Ordinal))
            {
                return long.TryParse(words[column], NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : 0;
            }
        }

        return 0;
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
