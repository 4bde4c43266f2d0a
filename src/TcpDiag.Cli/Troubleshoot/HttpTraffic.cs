using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Doctor;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Makes traffic to look at: fetches from a web server, or sends to it.</summary>
static class HttpTraffic
{
    const int PieceBytes = 1 << 17;

    // What something came of so shortly before the limit did not fail: there was more of it than fits.
    static readonly TimeSpan Stuck = TimeSpan.FromSeconds(2);

    /// <summary>Makes one request.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="uploadBytes">Zeros to send by PUT; null to GET.</param>
    /// <param name="limit">When to end it; that it does not come to its end by then is a failure only where nothing came any more.</param>
    /// <param name="stop">Ends it, which is no failure.</param>
    /// <param name="progress">Called with the bytes so far, and of how many; 0 where that is not known.</param>
    public static TransferResult Run(Uri url, long? uploadBytes, TimeSpan limit, CancellationToken stop, Action<long, long>? progress = null)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stop);
        ending.CancelAfter(limit);
        long begun = Stopwatch.GetTimestamp();
        (long bytes, long moved) = (0, begun);
        (Message? error, bool isCut) = (null, false);
        try
        {
            using var client = new HttpClient { Timeout = Timeout.InfiniteTimeSpan };
            using var request = new HttpRequestMessage(uploadBytes is null ? HttpMethod.Get : HttpMethod.Put, url);
            request.Content = uploadBytes is { } size ? new Zeros(size, sent => Move(sent, size)) : null;
            using HttpResponseMessage response = client.Send(request, HttpCompletionOption.ResponseHeadersRead, ending.Token);
            long total = response.Content.Headers.ContentLength ?? 0;
            Read(response, length => Move(uploadBytes is null ? bytes + length : bytes, total), ending.Token);
            error = response.IsSuccessStatusCode ? null : (Message)$"{(int)response.StatusCode} {response.ReasonPhrase}";
        }
        catch (OperationCanceledException)
        {
            isCut = stop.IsCancellationRequested || (bytes > 0 && Stopwatch.GetElapsedTime(moved) < Stuck);
            error = isCut ? null : (Message)$"no end within {limit.TotalSeconds:0} s";
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            error = Reason(exception);
        }

        return new(bytes, Stopwatch.GetElapsedTime(begun), error) { IsCutShort = isCut };

        void Move(long now, long total)
        {
            (bytes, moved) = (now, Stopwatch.GetTimestamp());
            progress?.Invoke(bytes, total);
        }
    }

    static Message Reason(Exception exception) => (exception as HttpRequestException)?.HttpRequestError switch
    {
        HttpRequestError.NameResolutionError => (Message)"no name server knows this name",
        HttpRequestError.ConnectionError => "no connection came about",
        HttpRequestError.SecureConnectionError => "the other side's certificate or encryption was not accepted",
        _ => $"the system says: {exception.Message}",
    };

    static void Read(HttpResponseMessage response, Action<int> fetched, CancellationToken cancel)
    {
        using Stream body = response.Content.ReadAsStream(cancel);
        byte[] buffer = new byte[PieceBytes];
        for (int length; (length = body.ReadAsync(buffer, cancel).AsTask().GetAwaiter().GetResult()) > 0;)
        {
            fetched(length);
        }
    }

    sealed class Zeros(long size, Action<long> sent) : HttpContent
    {
        static readonly byte[] Piece = new byte[PieceBytes];

        protected override void SerializeToStream(Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
            SerializeToStreamAsync(stream, context, cancellationToken).GetAwaiter().GetResult();

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, CancellationToken.None);

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
        {
            for (long done = 0; done < size;)
            {
                int length = (int)Math.Min(PieceBytes, size - done);
                await stream.WriteAsync(Piece.AsMemory(0, length), cancellationToken).ConfigureAwait(false);
                done += length;
                sent(done);
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = size;
            return true;
        }
    }
}
