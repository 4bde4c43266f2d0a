using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;

namespace TcpDiag.Web.Tests;

/// <summary>An answer as it came over the wire.</summary>
/// <param name="Status">The status; 0 where the server closed without one.</param>
/// <param name="Head">The head, as text.</param>
/// <param name="Body">The body.</param>
sealed record RawAnswer(int Status, string Head, string Body)
{
    /// <summary>A header; null where there is none.</summary>
    public string? Header(string name) => Head.Split("\r\n").Skip(1)
        .Where(line => line.StartsWith($"{name}:", StringComparison.OrdinalIgnoreCase)).Select(line => line[(name.Length + 1)..].Trim()).FirstOrDefault();
}

/// <summary>Speaks HTTP byte by byte, which a client of the library would not do wrongly.</summary>
static class RawHttp
{
    static readonly TimeSpan Longest = TimeSpan.FromSeconds(60);

    /// <summary>Sends a head and reads the answer to the end of the connection.</summary>
    /// <param name="server">Where to.</param>
    /// <param name="lines">Request line and headers, in which <c>SERVER</c> stands for the server.</param>
    public static Task<RawAnswer> Ask(IPEndPoint server, params IEnumerable<string> lines) =>
        Send(server, $"{string.Join("\r\n", lines)}\r\nConnection: close\r\n\r\n".Replace("SERVER", server.ToString(), StringComparison.Ordinal));

    /// <summary>Asks for a path, with the right host.</summary>
    public static Task<RawAnswer> Get(IPEndPoint server, string path, params IEnumerable<string> headers) =>
        Ask(server, [$"GET {path} HTTP/1.1", "Host: SERVER", .. headers]);

    /// <summary>Sends bytes as they are, and reads what comes until the server closes.</summary>
    public static async Task<RawAnswer> Send(IPEndPoint server, string text)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(server);
        using NetworkStream stream = client.GetStream();
        try
        {
            await stream.WriteAsync(Encoding.UTF8.GetBytes(text));
        }
        catch (IOException)
        {
            // The server has refused before all was sent.
        }

        return await Read(stream);
    }

    /// <summary>Reads an answer until the server closes.</summary>
    public static async Task<RawAnswer> Read(NetworkStream stream)
    {
        using var bytes = new MemoryStream();
        try
        {
            await stream.CopyToAsync(bytes).WaitAsync(Longest);
        }
        catch (IOException)
        {
            // Reset: what came before counts.
        }

        string text = Encoding.UTF8.GetString(bytes.ToArray());
        int end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        return end < 0 ? new(0, string.Empty, text) : new(int.Parse(text.Split(' ')[1], CultureInfo.InvariantCulture), text[..end], text[(end + 4)..]);
    }
}
