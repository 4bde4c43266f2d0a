using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Net;
using System.Threading.Tasks;

namespace TcpDiag.Web.Tests;

/// <summary>A store that is served on this machine, on a port of its own.</summary>
sealed class ServedStore : IAsyncDisposable
{
    readonly StoreServer _server;

    ServedStore(MadeStore store, StoreServer server, AccessToken token)
    {
        Store = store;
        _server = server;
        Token = token;
    }

    public MadeStore Store { get; }

    public AccessToken Token { get; }

    public IPEndPoint Endpoint => _server.Endpoint;

    /// <summary>Lines about what went wrong on the server's side.</summary>
    public required ConcurrentQueue<string> Faults { get; init; }

    /// <summary>Makes a store and serves it.</summary>
    /// <param name="fill">Fills it.</param>
    /// <param name="settle">Changes how it is served.</param>
    public static async Task<ServedStore> Start(Action<MadeStore>? fill = null, Func<ServeOptions, ServeOptions>? settle = null)
    {
        var store = new MadeStore();
        fill?.Invoke(store);
        store.Open().Dispose();
        var token = AccessToken.Random();
        var faults = new ConcurrentQueue<string>();
        var options = new ServeOptions(new(IPAddress.Loopback, 0), token, store.Path, store.Open) { Told = faults.Enqueue };
        StoreServer server = await StoreServer.Start(settle?.Invoke(options) ?? options);
        await server.Ready;
        return new ServedStore(store, server, token) { Faults = faults };
    }

    /// <summary>Asks with the token, again while a report is being made.</summary>
    public async Task<RawAnswer> Get(string path, params IEnumerable<string> headers)
    {
        RawAnswer answer = await GetAtOnce(path, headers);
        for (int i = 0; i < 60 && answer.Status == 202; i++)
        {
            await Task.Delay(1_000);
            answer = await GetAtOnce(path, headers);
        }

        return answer;
    }

    /// <summary>Asks with the token.</summary>
    public Task<RawAnswer> GetAtOnce(string path, params IEnumerable<string> headers) =>
        RawHttp.Get(Endpoint, path, [$"Authorization: Bearer {Token.Text}", .. headers]);

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        Store.Dispose();
    }
}
