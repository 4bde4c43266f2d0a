using System.Collections.Generic;

namespace TcpDiag.Capture.Windows;

/// <summary>The providers whose events tell what the TCP stack does and what it is asked for. Their names are the same in every language.</summary>
static class StackProviders
{
    /// <summary>Every event of a provider.</summary>
    public const string AllKeywords = "0xffffffffffffffff";

    /// <summary>What no engine can do.</summary>
    public const string NotFiltered = "events of the TCP stack cannot be filtered: those of all connections are recorded";

    /// <summary>Names and levels: the TCP stack, what applications ask of their sockets, name resolution.</summary>
    public static IReadOnlyList<(string Name, string Level)> All { get; } =
        [("Microsoft-Windows-TCPIP", "5"), ("Microsoft-Windows-Winsock-AFD", "4"), ("Microsoft-Windows-Winsock-NameResolution", "5")];
}
