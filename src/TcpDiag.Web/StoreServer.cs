using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using TcpDiag.Store;

namespace TcpDiag.Web;

/// <summary>
/// Serves a store as pages and documents: read-only, to who has the token. It is Kestrel alone: nothing of the surroundings changes it, as it reads no settings
/// from files or the environment.
/// </summary>
public sealed class StoreServer : IAsyncDisposable
{
    readonly KestrelServer _kestrel;
    readonly FaultLog _log;
    readonly StorePool _pool;
    readonly ReportCache _reports;
    readonly GraphDrawing _graphs;
    readonly Gate _gate;
    readonly Site _site;
    readonly CancellationTokenSource _stopping = new();
    Task _preparing = Task.CompletedTask;

    StoreServer(ServeOptions options)
    {
        var counters = new ServeCounters();
        _log = new FaultLog(options.Told);
        _kestrel = Kestrel(options, _log);
        _pool = new StorePool(options.OpenStore);
        _reports = new ReportCache(_pool, counters);
        _graphs = new GraphDrawing(options, counters);
        _gate = new Gate(options, counters);
        _site = new Site(options, _pool, _reports, _graphs, counters);
    }

    /// <summary>Where it listens.</summary>
    public IPEndPoint Endpoint { get; private set; } = new(IPAddress.None, 0);

    /// <summary>Ends when the reports are there that its pages begin with, or it was told that the store cannot be read.</summary>
    public Task Ready { get; private set; } = Task.CompletedTask;

    /// <summary>Begins to serve.</summary>
    /// <param name="options">How.</param>
    /// <returns>The server; it stops when disposed of.</returns>
    /// <exception cref="StoreException">The store cannot be opened.</exception>
    /// <exception cref="IOException">The address is taken, or not this machine's.</exception>
    public static async Task<StoreServer> Start(ServeOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var server = new StoreServer(options);
        try
        {
            server._pool.Ask(StoreState.Of);
            await server._kestrel.StartAsync(new Requests(server), CancellationToken.None);
            var address = new Uri(server._kestrel.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.First());
            server.Endpoint = new(options.Listen.Address, address.Port);
            server.Ready = Prepare(options, server._site.Prepare);
            server._preparing = server.PrepareOthers(options);
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        using (var patience = new CancellationTokenSource(TimeSpan.FromSeconds(5)))
        {
            await _kestrel.StopAsync(patience.Token);
        }

        _kestrel.Dispose();
        _log.Dispose();
        _gate.Dispose();
        await _preparing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _reports.DisposeAsync();
        _graphs.Dispose();
        _site.Dispose();
        _pool.Dispose();
        _stopping.Dispose();
    }

    static KestrelServer Kestrel(ServeOptions options, FaultLog log)
    {
        var settings = new KestrelServerOptions { AddServerHeader = false };
        settings.Listen(options.Listen, listen => listen.Protocols = HttpProtocols.Http1);
        KestrelServerLimits limits = settings.Limits;
        limits.MaxRequestBodySize = 0;
        limits.MaxRequestHeadersTotalSize = 16 << 10;
        limits.MaxRequestLineSize = 8 << 10;
        limits.MaxRequestHeaderCount = 64;
        limits.RequestHeadersTimeout = options.Limits.HeadTime;
        limits.KeepAliveTimeout = options.Limits.IdleTime;
        limits.MaxConcurrentConnections = options.Limits.Connections;
        return new(Options.Create(settings), new SocketTransportFactory(Options.Create(new SocketTransportOptions()), log), log);
    }

    static async Task Answered(Route route, HttpContext context)
    {
        try
        {
            await (await route.Answer(context)).Send(context);
        }
        catch (QueryException exception)
        {
            await Answer.Refusal(StatusCodes.Status400BadRequest, Gate.IsProgram(context.Request), "That cannot be asked", exception.Message).Send(context);
        }
        catch (BeingMadeException)
        {
            context.Response.Headers["Refresh"] = "1";
            await Answer.Refusal(StatusCodes.Status202Accepted, Gate.IsProgram(context.Request), "One moment",
                "This report is being made of the whole store, for the first time since the server began. It will be shown here as soon as it is there.")
                .Send(context);
        }
        catch (NotThereException exception)
        {
            await NotThere(context, exception.Message);
        }
        catch (StoreException exception)
        {
            await Answer.Refusal(StatusCodes.Status503ServiceUnavailable, Gate.IsProgram(context.Request), "The store cannot be read", exception.Message)
                .Send(context);
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            // Who asked has gone.
        }
    }

    async Task PrepareOthers(ServeOptions options)
    {
        await Ready;
        await Prepare(options, () => _site.PrepareOthers(_stopping.Token));
    }

    static async Task Prepare(ServeOptions options, Func<Task> prepare)
    {
        try
        {
            await prepare();
        }
        catch (StoreException exception)
        {
            options.Told(exception.Message);
        }
    }

    static Task NotThere(HttpContext context, string text) =>
        Answer.Refusal(StatusCodes.Status404NotFound, Gate.IsProgram(context.Request), "Not there", text).Send(context);

    /// <summary>The way of a request: through the gate to its route.</summary>
    sealed class Requests(StoreServer server) : IHttpApplication<HttpContext>
    {
        readonly Router _router = new(server._site.Routes);

        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public Task ProcessRequestAsync(HttpContext context) => server._gate.Pass(context, Route);

        public void DisposeContext(HttpContext context, Exception? exception)
        {
        }

        Task Route(HttpContext context) =>
            _router.Find(context.Request) is { } route ? Answered(route, context) : NotThere(context, "There is no such page.");
    }
}

/// <summary>Hands on faults of ours that Kestrel caught while it answered, a line each. What keeps it from starting is thrown, not logged.</summary>
/// <param name="told">Takes the line.</param>
sealed class FaultLog(Action<string> told) : ILoggerFactory, ILogger
{
    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => this;

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider)
    {
    }

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error;

    /// <inheritdoc/>
    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        if (IsEnabled(logLevel))
        {
            told(exception is null ? formatter(state, null) : $"{exception.GetType().Name}: {exception.Message}");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
