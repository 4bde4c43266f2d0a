using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Store;
using TcpDiag.Web;

namespace TcpDiag.Cli.Store;

/// <summary><c>tcpdiag serve</c>: a store as web pages, read-only.</summary>
static class ServeCommand
{
    const string UsualEndpoint = "127.0.0.1:8417";

    public static Command Create()
    {
        Option<string> store = StoreOptions.File();
        var listen = new Option<string>("--listen")
        {
            HelpName = "ADDR:PORT",
            Description = "Listen there; a port alone is on this machine only, port 0 any that is free",
            DefaultValueFactory = _ => UsualEndpoint,
        };
        listen.Validators.Add(result =>
        {
            if (result.Tokens is [.., var token] && MetricsServer.EndpointOf(token.Value) is null)
            {
                result.AddError($"--listen: expected an address and a port such as {UsualEndpoint}, found '{token.Value}'");
            }
        });
        var tokenFile = new Option<string?>("--token-file")
        {
            HelpName = "FILE",
            Description = "Take the token from this file, so that it stays the same; else it is made anew",
        };
        var host = new Option<string[]>("--host")
        {
            HelpName = "NAME",
            Description = "A name by which this server is asked for, besides its address; may be repeated",
        };
        host.Validators.Add(result =>
        {
            foreach (System.CommandLine.Parsing.Token token in result.Tokens.Where(
                token => Uri.CheckHostName(token.Value) is not (UriHostNameType.Dns or UriHostNameType.IPv4)))
            {
                result.AddError($"--host: expected the name of a machine such as tcp.example.com, found '{token.Value}'");
            }
        });
        var noRecordings = new Option<bool>("--no-recordings") { Description = "Do not read recordings for their graphs, which show addresses as they are" };
        var command = new Command("serve", "Serve a store as web pages and JSON, read-only, on this machine") { store, listen, tokenFile, host, noRecordings };
        command.SetAction(parse => Run(
            parse, parse.GetValue(store)!, MetricsServer.EndpointOf(parse.GetValue(listen)!)!, parse.GetValue(tokenFile), options => options with
            {
                HostNames = parse.GetValue(host) ?? [],
                ReadsRecordings = !parse.GetValue(noRecordings),
            }));
        return command;
    }

    static int Run(ParseResult parse, string location, IPEndPoint listen, string? tokenFile, Func<ServeOptions, ServeOptions> settle)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        TextWriter error = parse.InvocationConfiguration.Error;
        AccessToken token = tokenFile is null ? AccessToken.Random() : TokenOf(tokenFile);
        var options = new ServeOptions(listen, token, location, () => ResultStores.Open(location)) { Told = line => Failure.Report(error, line) };
        StoreServer server = Started(settle(options));
        try
        {
            server.Ready.Wait(interruption); // of a large store seconds: who opens the address then sees a page at once
            Tell(parse, server.Endpoint, token);
            interruption.WaitHandle.WaitOne();
        }
        catch (OperationCanceledException)
        {
            // Interrupted before it was ready.
        }
        finally
        {
            server.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }

        return ExitCode.Interrupted;
    }

    static StoreServer Started(ServeOptions options)
    {
        try
        {
            return StoreServer.Start(options).GetAwaiter().GetResult();
        }
        catch (Exception exception) when (exception is IOException or SocketException)
        {
            throw new StoreException($"--listen {options.Listen}: cannot listen there: {exception.Message}", exception);
        }
    }

    static void Tell(ParseResult parse, IPEndPoint endpoint, AccessToken token)
    {
        bool isOpen = !IPAddress.IsLoopback(endpoint.Address);
        string address = endpoint.Address.Equals(IPAddress.Any) || endpoint.Address.Equals(IPAddress.IPv6Any) ? $"ADDRESS-OF-THIS-MACHINE:{endpoint.Port}"
            : $"{endpoint}";
        parse.InvocationConfiguration.Output.WriteLine($"http://{address}/?token={token.Text}");
        parse.InvocationConfiguration.Output.Flush();
        if (isOpen)
        {
            Failure.Report(parse.InvocationConfiguration.Error, "listens beyond this machine: who has the token reads the store. "
                + "What is sent is not encrypted: put a program that adds TLS in front, and name it by --host.");
        }
    }

    static AccessToken TokenOf(string path) => AccessToken.TryParse(File.ReadAllText(path))
        ?? throw new StoreException($"{path}: expected a token of {AccessToken.FewestCharacters} or more letters, digits, dashes or underscores.");
}
