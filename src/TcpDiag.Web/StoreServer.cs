using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using TcpDiag.Store;

namespace TcpDiag.Web;

/// <summary>
/// Serves a store as pages and documents: read-only, to who has the token. Nothing of the surroundings changes it: it reads no settings from files or the
/// environment.
/// </summary>
public sealed class StoreServer : IAsyncDisposable
{
    static readonly string[] Methods = [HttpMethods.Get, HttpMethods.Head];

    readonly WebApplication _application;
    readonly StorePool _pool;
    readonly ReportCache _reports;
    readonly GraphDrawing _graphs;
    readonly Gate _gate;
    readonly Site _site;
    readonly SemaphoreSlim _readers;

    StoreServer(ServeOptions options)
    {
        var counters = new ServeCounters();
        _pool = new StorePool(options.OpenStore);
        _reports = new ReportCache(_pool, counters);
        _graphs = new GraphDrawing(options, counters);
        _gate = new Gate(options, counters);
        _site = new Site(options, _pool, _reports, _graphs, counters);
        _readers = new SemaphoreSlim(options.Limits.Readers);
        _application = Build(options);
    }

    /// <summary>Where it listens.</summary>
    public IPEndPoint Endpoint { get; private set; } = new(IPAddress.None, 0);

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
            await server._application.StartAsync();
            var address = new Uri(server._application.Services.GetRequiredService<IServer>().Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.First());
            server.Endpoint = new(options.Listen.Address, address.Port);
            _ = server.Prepare(options);
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
        await _application.StopAsync();
        await _application.DisposeAsync();
        _gate.Dispose();
        await _reports.DisposeAsync();
        _graphs.Dispose();
        _readers.Dispose();
        _pool.Dispose();
    }

    WebApplication Build(ServeOptions options)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(server => Limit(server, options));
        builder.Services.AddRoutingCore();
        builder.Logging.AddProvider(new FaultLog(options.Told));
        WebApplication application = builder.Build();
        application.Use(next => context => _gate.Pass(context, next));
        foreach (Route route in _site.Routes)
        {
            application.MapMethods(route.Pattern, Methods, context => Answered(route, context));
        }

        application.MapFallback(context => NotThere("There is no such page.").Invoke(context));
        return application;
    }

    static void Limit(KestrelServerOptions server, ServeOptions options)
    {
        server.AddServerHeader = false;
        server.Listen(options.Listen, listen => listen.Protocols = HttpProtocols.Http1);
        server.Limits.MaxRequestBodySize = 0;
        server.Limits.MaxRequestHeadersTotalSize = 16 << 10;
        server.Limits.MaxRequestLineSize = 8 << 10;
        server.Limits.MaxRequestHeaderCount = 64;
        server.Limits.RequestHeadersTimeout = options.Limits.HeadTime;
        server.Limits.KeepAliveTimeout = options.Limits.IdleTime;
        server.Limits.MaxConcurrentConnections = options.Limits.Connections;
    }

    async Task Answered(Route route, HttpContext context)
    {
        await _readers.WaitAsync(context.RequestAborted);
        try
        {
            await (await route.Answer(context)).Send(context);
        }
        catch (QueryException exception)
        {
            await Answer.Refusal(StatusCodes.Status400BadRequest, Gate.IsProgram(context.Request), "That cannot be asked", exception.Message).Send(context);
        }
        catch (NotThereException exception)
        {
            await NotThere(exception.Message).Invoke(context);
        }
        catch (StoreException exception)
        {
            await Answer.Refusal(StatusCodes.Status503ServiceUnavailable, Gate.IsProgram(context.Request), "The store cannot be read", exception.Message).Send(context);
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            // Who asked has gone.
        }
        finally
        {
            _readers.Release();
        }
    }

    async Task Prepare(ServeOptions options)
    {
        try
        {
            await _site.Prepare();
        }
        catch (StoreException exception)
        {
            options.Told(exception.Message);
        }
    }

    static RequestDelegate NotThere(string text) => context =>
        Answer.Refusal(StatusCodes.Status404NotFound, Gate.IsProgram(context.Request), "Not there", text).Send(context);
}
