using System;
using System.Globalization;
using System.IO;
using System.Net.Http;
using System.Security.Authentication;
using System.Text.RegularExpressions;

namespace TcpDiag.Store.ClickHouse;

/// <summary>Says what went wrong with a server of ClickHouse, and what to do. Codes: src/Common/ErrorCodes.cpp of ClickHouse.</summary>
static partial class ClickHouseFault
{
    /// <summary>There is no such database.</summary>
    public const int UnknownDatabase = 81;

    /// <summary>A table of this name is there already.</summary>
    public const int TableExists = 57;

    const int LongestMessage = 300;

    // Of a server that will answer again: it has too much to do, no room, or a part of it is away.
    static readonly int[] Passing = [3, 159, 164, 198, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279, 285, 319, 335, 394, 415, 425, 999];

    /// <summary>Whether an error passes by itself.</summary>
    public static bool IsPassing(int code) => Array.IndexOf(Passing, code) >= 0;

    /// <summary>The code in what a server says; 0 without any.</summary>
    public static int CodeOf(string message) =>
        CodePattern().Match(message) is { Success: true } match
            && int.TryParse(match.Groups["code"].Value, NumberStyles.None, CultureInfo.InvariantCulture, out int code) ? code : 0;

    /// <summary>What an answer that is an error means, behind the location.</summary>
    /// <param name="code">The server's code; 0 for none.</param>
    /// <param name="status">The status of HTTP.</param>
    /// <param name="message">What the server says.</param>
    public static string Describe(int code, int status, string message) => code switch
    {
        192 or 193 or 194 or 516 => $"the server knows no such user and password. Set {ClickHouseAccess.UserVariable} and {ClickHouseAccess.PasswordVariable}.",
        UnknownDatabase => "there is no such database. tcpdiag store add makes it, if this user may.",
        497 => $"this user may not do that: {Shortened(message)}",
        164 => "this user may only read.",
        170 or 701 => "the server knows no cluster of this name (system.clusters lists those it knows).",
        243 => "the server's disk is full.",
        73 => "the server knows no format Parquet: it is older than version 19. Export with --csv or --ndjson.",
        60 => $"a table of the store is missing on one of the servers: name all of them in --store, with commas between. {Shortened(message)}",
        0 => FormattableString.Invariant($"expected ClickHouse, found a server that answers with status {status}: {Shortened(message)}"),
        _ => $"the server says: {Shortened(message)}",
    };

    /// <summary>What a failed connection means, behind the location.</summary>
    /// <param name="exception">How it failed.</param>
    /// <param name="isEncrypted">Whether TLS was spoken.</param>
    public static string Describe(Exception exception, bool isEncrypted) => exception switch
    {
        HttpRequestException { InnerException: (IOException or AuthenticationException) and var inner } when IsNoTls(inner) =>
            "the server does not speak TLS at this port.",
        HttpRequestException { InnerException: AuthenticationException inner } =>
            $"the server's certificate is not believed: {inner.Message.TrimEnd('.')}. {ClickHouseAccess.AuthorityVariable} names a file of certificates to "
                + "believe.",
        HttpRequestException { InnerException: { } inner } => $"cannot be reached: {Shortened(inner.Message)}",
        OperationCanceledException => isEncrypted ? "does not answer. Servers speak TLS at a port of its own (https_port, usually 8443)." : "does not answer.",
        _ => $"cannot be reached: {Shortened(exception.Message)}",
    };

    // An answer in plain text has no frame of TLS.
    static bool IsNoTls(Exception exception) => exception.Message.Contains("frame", StringComparison.OrdinalIgnoreCase)
        || (exception is IOException && exception.Message.Contains("SSL", StringComparison.Ordinal));

    // The server's words without its stack.
    static string Shortened(string message)
    {
        string text = message.ReplaceLineEndings(" ").Replace("e.displayText() = ", string.Empty, StringComparison.Ordinal).Trim();
        int end = text.IndexOf(", e.what()", StringComparison.Ordinal);
        text = end >= 0 ? text[..end] : text;
        return text.Length <= LongestMessage ? text : $"{text[..LongestMessage]}…";
    }

    [GeneratedRegex(@"Code: (?<code>\d{1,6})[.,]", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex CodePattern();
}
