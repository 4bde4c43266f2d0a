using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// Asks servers of ClickHouse over HTTP. Values go to them as rows of an external table beside the statement, never as its text. An answer is whole or an
/// error: the server keeps it back until it is complete. Not thread-safe.
/// </summary>
sealed class ClickHouseClient : IDisposable
{
    const string ParameterTable = "given";
    static readonly TimeSpan ConnectTime = TimeSpan.FromSeconds(10);
    static readonly TimeSpan AnswerTime = TimeSpan.FromMinutes(10);
    static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(2); // servers close after three

    readonly HttpClient _http;
    readonly string _credentials;
    int _server;

    public ClickHouseClient(ClickHouseLocation location, ClickHouseAccess access)
    {
        Location = location;
        _credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{access.User}:{access.Password}"));
        var handler = new SocketsHttpHandler
        {
            ConnectTimeout = ConnectTime,
            PooledConnectionIdleTimeout = IdleTime,
            AllowAutoRedirect = false,
            UseProxy = false,
        };
        if (access.AuthorityFile is { } file)
        {
            handler.SslOptions = new SslClientAuthenticationOptions { CertificateChainPolicy = PolicyOf(file) };
        }

        _http = new(handler) { Timeout = AnswerTime };
    }

    /// <summary>Where the servers are.</summary>
    public ClickHouseLocation Location { get; }

    /// <summary>Settings of statements that make tables, name=value; who may only read may set none.</summary>
    public string Settings { get; set; } = string.Empty;

    /// <summary>Runs a statement without an answer, as it stands, on one server or on all.</summary>
    /// <exception cref="StoreException">It failed.</exception>
    public void Execute(string sql, Uri? server = null, bool isInDatabase = true, string more = "") =>
        Send(server, Address(isInDatabase, Settings, more), () => new ByteArrayContent(Encoding.UTF8.GetBytes(sql))).Dispose();

    /// <summary>Asks for rows.</summary>
    /// <param name="question">The statement, without a format.</param>
    /// <param name="isInDatabase">Whether the database is there.</param>
    /// <param name="server">Who is asked; any server when null.</param>
    /// <returns>The rows, read while they are enumerated.</returns>
    /// <exception cref="StoreException">It failed.</exception>
    public IEnumerable<StoreValue[]> Read(ClickHouseQuestion question, bool isInDatabase = true, Uri? server = null)
    {
        string query = Address(isInDatabase, "wait_end_of_query=1", $"query={Uri.EscapeDataString($"{question.Text} FORMAT RowBinary")}",
            StructureOf(question));
        using HttpResponseMessage response = Send(server, query, () => ContentOf(question));
        using var reader = new RowBinaryReader(response.Content.ReadAsStream());
        while (Next(reader, question.Kinds) is { } row)
        {
            yield return row;
        }
    }

    /// <summary>Writes an answer as Apache Parquet while the server makes it.</summary>
    /// <param name="question">The statement, without a format.</param>
    /// <param name="output">Takes the file.</param>
    /// <exception cref="StoreUnreachableException">The answer broke off, or there was none; what was written is of no use.</exception>
    /// <exception cref="StoreException">The server refused.</exception>
    public void WriteParquet(ClickHouseQuestion question, Stream output)
    {
        string query = Address(isInDatabase: true, $"query={Uri.EscapeDataString($"{question.Text} FORMAT Parquet")}", StructureOf(question));
        using HttpResponseMessage response = Send(null, query, () => ContentOf(question));
        try
        {
            ParquetFile.Copy(response.Content.ReadAsStream(), output);
        }
        catch (Exception exception) when (exception is HttpIOException or InvalidDataException)
        {
            throw new StoreUnreachableException($"{Location.Text}: the answer broke off: {exception.Message}", exception);
        }
    }

    /// <summary>Inserts rows, as one part of a table.</summary>
    /// <exception cref="StoreException">It failed; whether the rows are there is not known where the server could not be reached.</exception>
    public void Insert(string table, IEnumerable<string> columns, RowBlock rows) =>
        Send(null, InsertAddress(table, columns, rows), () => ContentOf(rows)).Dispose();

    /// <summary>
    /// Inserts rows while they are made, as few parts of a table: a part has a file or two for each column, and to make those takes longer than to fill them.
    /// </summary>
    /// <param name="table">The table.</param>
    /// <param name="columns">Its columns.</param>
    /// <param name="blocks">The rows; each block is sent before the next is asked for.</param>
    /// <exception cref="StoreException">It failed; what was sent may be there. Nothing is sent to another server, as the rows are gone.</exception>
    public void Insert(string table, IEnumerable<string> columns, IEnumerable<RowBlock> blocks)
    {
        using IEnumerator<RowBlock> rows = blocks.GetEnumerator();
        string? address = null;
        for (bool isMore = rows.MoveNext(); isMore && rows.Current.Count > 0;)
        {
            var content = new BlockContent(rows);
            try
            {
                SendTo(Location.Servers[_server], address ??= InsertAddress(table, columns, rows.Current), () => Given(content), isLast: true).Dispose();
            }
            catch (StoreUnreachableException)
            {
                content.Fault?.Throw();
                _server = (_server + 1) % Location.Servers.Count;
                throw;
            }

            isMore = content.IsMore;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    string Address(bool isInDatabase, params string[] parts) =>
        $"?{string.Join('&', parts.Prepend(isInDatabase ? $"database={Location.Database}" : string.Empty).Where(part => part.Length > 0))}";

    StoreValue[]? Next(RowBinaryReader reader, BinaryKind[] kinds)
    {
        try
        {
            return reader.Read(kinds);
        }
        catch (IOException exception)
        {
            throw new StoreUnreachableException($"{Location.Text}: the answer broke off: {exception.Message}", exception);
        }
    }

    static string StructureOf(ClickHouseQuestion question) => question.Given is not { } given ? string.Empty
        : $"{ParameterTable}_format=RowBinary&{ParameterTable}_structure="
            + Uri.EscapeDataString(string.Join(", ", given.Columns.Select(column => $"{column.Name} {column.Type}")));

    static HttpContent ContentOf(ClickHouseQuestion question)
    {
        if (question.Given is not { } given)
        {
            return new ByteArrayContent([]);
        }

        var rows = new RowBlock([.. given.Columns.Select(column => column.Kind)]);
        foreach (StoreValue[] row in given.Rows)
        {
            rows.Add(row);
        }

        return ContentOf(rows);
    }

    // From a table of plain types the server makes whole columns of those of the table; as rows of the table itself each word is put into a dictionary of its
    // own first, which takes more than half of its time.
    string InsertAddress(string table, IEnumerable<string> columns, RowBlock rows)
    {
        string names = string.Join(", ", columns.Select(name => $"\"{name}\""));
        string sql = Uri.EscapeDataString($"INSERT INTO \"{table}\" ({names}) SELECT * FROM {ParameterTable}");
        string types = Uri.EscapeDataString(string.Join(',', rows.Types));
        return Address(true, "insert_distributed_sync=1", $"query={sql}", $"{ParameterTable}_format=RowBinary&{ParameterTable}_types={types}");
    }

    static MultipartFormDataContent ContentOf(RowBlock rows) => Given(new ReadOnlyMemoryContent(rows.Bytes));

    static MultipartFormDataContent Given(HttpContent rows) => new() { { rows, ParameterTable, ParameterTable } };

    // A server that cannot be reached is left for the next one, until each had its turn.
    HttpResponseMessage Send(Uri? server, string query, Func<HttpContent> content)
    {
        if (server is not null)
        {
            return SendTo(server, query, content);
        }

        for (int turn = 1; ; turn++)
        {
            try
            {
                return SendTo(Location.Servers[_server], query, content);
            }
            catch (StoreUnreachableException) when (turn < Location.Servers.Count)
            {
                _server = (_server + 1) % Location.Servers.Count;
            }
        }
    }

    // The last of a line: of a body whose length is not told, version 18 leaves the end in it.
    HttpResponseMessage SendTo(Uri server, string query, Func<HttpContent> content, bool isLast = false)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(server, query)) { Content = content() };
        request.Headers.Authorization = new("Basic", _credentials);
        request.Headers.ConnectionClose = isLast;
        try
        {
            HttpResponseMessage response = _http.Send(request, HttpCompletionOption.ResponseHeadersRead);
            return response.IsSuccessStatusCode ? response : throw Refused(response);
        }
        catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException or IOException)
        {
            throw new StoreUnreachableException($"{Location.Text}: {ClickHouseFault.Describe(exception, Location.IsEncrypted)}", exception);
        }
    }

    StoreException Refused(HttpResponseMessage response)
    {
        using (response)
        {
            string message = ReadStart(response.Content.ReadAsStream());
            int code = ClickHouseFault.CodeOf(message);
            string text = $"{Location.Text}: {ClickHouseFault.Describe(code, (int)response.StatusCode, message)}";
            return (int)response.StatusCode is 502 or 503 or 504 || ClickHouseFault.IsPassing(code)
                ? new StoreUnreachableException(text)
                : new StoreException(text) { Code = code };
        }
    }

    static string ReadStart(Stream body)
    {
        byte[] start = new byte[4096];
        int length = body.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        return Encoding.UTF8.GetString(start, 0, length);
    }

    // The certificates of the file alone are believed, and nobody is asked whether they were revoked: a cluster's own authority has no such list.
    static X509ChainPolicy PolicyOf(string file)
    {
        try
        {
            var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.ImportFromPemFile(file);
            return policy;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or System.Security.Cryptography.CryptographicException)
        {
            throw new StoreException($"{file}, which {ClickHouseAccess.AuthorityVariable} names, cannot be read: {exception.Message}", exception);
        }
    }
}
