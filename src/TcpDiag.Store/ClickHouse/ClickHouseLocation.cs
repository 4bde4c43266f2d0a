using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// Where a store in ClickHouse is: <c>clickhouse://[USER@]HOST[:PORT][,HOST[:PORT]…]/DATABASE[?cluster=NAME][&amp;ttl=DAYS]</c>; <c>clickhouses://</c> is the
/// same over TLS. Of several hosts any may answer; where they are a cluster without a keeper, they are all of its servers.
/// </summary>
/// <param name="Text">As the user named it.</param>
/// <param name="IsEncrypted">Whether it is reached over TLS.</param>
/// <param name="User">Who asks; null where it is not said.</param>
/// <param name="Servers">Addresses of the HTTP interfaces, one or more.</param>
/// <param name="Database">Name of the database.</param>
sealed record ClickHouseLocation(string Text, bool IsEncrypted, string? User, IReadOnlyList<Uri> Servers, string Database)
{
    const string Plain = "clickhouse://";
    const string Encrypted = "clickhouses://";
    const int PlainPort = 8123;
    const int EncryptedPort = 8443;
    const int LongestTtl = 36_500;

    /// <summary>The cluster over which the tables are spread; null for one server.</summary>
    public string? Cluster { get; private init; }

    /// <summary>After how many days rows are removed by the server; null for never.</summary>
    public int? TtlDays { get; private init; }

    /// <summary>Whether a text names a store in ClickHouse, not a file.</summary>
    public static bool IsOne(string text) => text.StartsWith(Plain, StringComparison.OrdinalIgnoreCase)
        || text.StartsWith(Encrypted, StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads a location.</summary>
    /// <exception cref="StoreException">It is none.</exception>
    public static ClickHouseLocation Parse(string text)
    {
        bool isEncrypted = text.StartsWith(Encrypted, StringComparison.OrdinalIgnoreCase);
        string[] parts = text[(isEncrypted ? Encrypted : Plain).Length..].Split('?', 2);
        string[] place = parts[0].Split('/', 2);
        string[] authority = place[0].Split('@', 2);
        string? user = authority.Length == 2 ? authority[0] : null;
        if (user?.Contains(':', StringComparison.Ordinal) == true)
        {
            throw new StoreException($"{Plain}…: a password is seen by everybody on a command line. Set {ClickHouseAccess.PasswordVariable} or "
                + $"{ClickHouseAccess.PasswordFileVariable}.");
        }

        string database = place.Length == 2 ? place[1].TrimEnd('/') : string.Empty;
        Require(ClickHouseLayout.IsName(database), text, "the name of a database behind the host, of letters, digits and _", database);
        Uri[] servers = [.. authority[^1].Split(',').Select(host => ServerOf(text, host, isEncrypted))];
        return (parts.Length == 2 ? parts[1].Split('&') : []).Aggregate(new ClickHouseLocation(text, isEncrypted, user, servers, database), With);
    }

    static ClickHouseLocation With(ClickHouseLocation location, string option)
    {
        string[] parts = option.Split('=', 2);
        string value = parts.Length == 2 ? parts[1] : string.Empty;
        switch (parts[0])
        {
            case "cluster":
                Require(ClickHouseLayout.IsName(value), location.Text, "cluster=NAME, of letters, digits and _", option);
                return location with { Cluster = value };
            case "ttl":
                bool isDays = int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int days) && days is >= 1 and <= LongestTtl;
                Require(isDays, location.Text, "ttl=DAYS, 1 to 36500", option);
                return location with { TtlDays = days };
            default:
                throw Wrong(location.Text, "cluster=NAME or ttl=DAYS", option);
        }
    }

    static Uri ServerOf(string text, string host, bool isEncrypted)
    {
        int usual = isEncrypted ? EncryptedPort : PlainPort;
        bool isOne = Uri.TryCreate($"{(isEncrypted ? "https" : "http")}://{host}", UriKind.Absolute, out Uri? server)
            && server is { AbsolutePath: "/", Query: "", Fragment: "", HostNameType: not UriHostNameType.Unknown };
        Require(isOne, text, "HOST or HOST:PORT", host);
        bool hasPort = host.LastIndexOf(':') > host.LastIndexOf(']');
        return hasPort ? server! : new UriBuilder(server!) { Port = usual }.Uri;
    }

    static void Require(bool isRight, string text, string expected, string found)
    {
        if (!isRight)
        {
            throw Wrong(text, expected, found);
        }
    }

    static StoreException Wrong(string text, string expected, string found) =>
        new($"{text}: expected {expected}, found '{found}'. A store in ClickHouse is {Plain}HOST:8123/DATABASE, or {Encrypted}HOST:8443/DATABASE over TLS.");
}

/// <summary>Who asks a server, and whom it is believed: from the environment, as a command line is seen by everybody.</summary>
/// <param name="User">The user.</param>
/// <param name="Password">The password; empty for none.</param>
/// <param name="AuthorityFile">Certificates in PEM that alone are believed to sign the server's; null for those that the system believes.</param>
sealed record ClickHouseAccess(string User, string Password, string? AuthorityFile)
{
    public const string UserVariable = "TCPDIAG_CLICKHOUSE_USER";
    public const string PasswordVariable = "TCPDIAG_CLICKHOUSE_PASSWORD";
    public const string PasswordFileVariable = "TCPDIAG_CLICKHOUSE_PASSWORD_FILE";
    public const string AuthorityVariable = "TCPDIAG_CLICKHOUSE_CA";
    const string UsualUser = "default";
    const int LongestPassword = 4096;

    /// <summary>Reads the environment.</summary>
    /// <param name="user">The user that the location names; null where it names none.</param>
    /// <exception cref="StoreException">The file of the password cannot be read.</exception>
    public static ClickHouseAccess OfEnvironment(string? user) =>
        new(user ?? Given(UserVariable) ?? UsualUser, Given(PasswordVariable) ?? OfFile(Given(PasswordFileVariable)) ?? string.Empty, Given(AuthorityVariable));

    static string? Given(string variable) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value ? value : null;

    // The first line, without its end.
    static string? OfFile(string? path)
    {
        if (path is null)
        {
            return null;
        }

        try
        {
            using var reader = new StreamReader(path);
            return reader.ReadLine() is { Length: <= LongestPassword } line
                ? line
                : throw new StoreException($"{path}, which {PasswordFileVariable} names: expected a password on the first line.");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new StoreException($"{path}, which {PasswordFileVariable} names, cannot be read: {exception.Message}", exception);
        }
    }
}
