using System;
using System.IO;

namespace TcpDiag.Store.ClickHouse;

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
