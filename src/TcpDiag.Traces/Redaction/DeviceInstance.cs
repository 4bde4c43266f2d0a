using System;
using System.Buffers;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// The last component of a device instance path, which tells one device from others of its make, often by the serial number: <c>USB\VID_0BDA&amp;PID_8153\112233445566778</c>, also with
/// <c>#</c> for the backslash, as in symbolic links.
/// </summary>
static class DeviceInstance
{
    // A path has at most 200 characters.
    const int LongestPath = 200;

    static readonly SearchValues<char> Ends = SearchValues.Create("\\# \t\r\n\0\"'<>|,;()");

    /// <summary>Measures the component that begins somewhere in a text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="start">Where it may begin.</param>
    /// <param name="isPath">Whether the text is such a path; else the component in front must name maker and device.</param>
    /// <returns>Its characters; 0 when none begins here.</returns>
    public static int Measure(ReadOnlySpan<char> text, int start, bool isPath)
    {
        if (start == 0 || text[start - 1] is not ('\\' or '#') || !(isPath ? IsLast(text, start) : IsBehindDevice(text[..start])))
        {
            return 0;
        }

        int length = text[start..].IndexOfAny(Ends);
        return isPath || length < 0 ? text.Length - start : length;
    }

    static bool IsLast(ReadOnlySpan<char> text, int start) => text[start - 1] == '\\' && !text[start..].Contains('\\');

    static bool IsBehindDevice(ReadOnlySpan<char> before)
    {
        char separator = before[^1];
        ReadOnlySpan<char> near = before[Math.Max(0, before.Length - LongestPath)..].TrimEnd(separator);
        ReadOnlySpan<char> device = near[(near.LastIndexOf(separator) + 1)..];
        return device.StartsWith("VID_", StringComparison.OrdinalIgnoreCase) || device.StartsWith("VEN_", StringComparison.OrdinalIgnoreCase);
    }
}
