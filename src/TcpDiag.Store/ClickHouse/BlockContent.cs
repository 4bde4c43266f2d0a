using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Store.ClickHouse;

/// <summary>Rows that are made while they are sent, up to as many as a server is to hold at once.</summary>
/// <param name="blocks">The rows; stands at the first block that is to be sent, and then at the first that was not.</param>
sealed class BlockContent(IEnumerator<RowBlock> blocks) : HttpContent
{
    const long MaxBytes = 1 << 27;

    /// <summary>Whether there are more blocks than were sent.</summary>
    public bool IsMore { get; private set; } = true;

    /// <summary>What the making of rows ended with, in place of a line that was cut.</summary>
    public ExceptionDispatchInfo? Fault { get; private set; }

    /// <inheritdoc/>
    protected override void SerializeToStream(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        for (long sent = 0; IsMore && sent < MaxBytes; IsMore = Next())
        {
            sent += blocks.Current.Bytes.Length;
            stream.Write(blocks.Current.Bytes.Span);
        }
    }

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        Task.Run(() => SerializeToStream(stream, context, CancellationToken.None));

    /// <inheritdoc/>
    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    bool Next()
    {
        try
        {
            return blocks.MoveNext();
        }
        catch (Exception exception)
        {
            Fault = ExceptionDispatchInfo.Capture(exception);
            throw;
        }
    }
}
