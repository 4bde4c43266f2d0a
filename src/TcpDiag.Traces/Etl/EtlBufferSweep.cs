using System;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Shows every buffer of a file to one of several visitors, each on a thread of its own. Which visitor gets which buffer
/// is left to chance: what visitors gather must add up to the same however the buffers fall.
/// </summary>
static class EtlBufferSweep
{
    // Buffers a thread takes at once: few enough to share out evenly, enough for the system to read ahead.
    const int BatchSize = 16;

    // Beyond this the memory is busy, not the processors.
    const int MostThreads = 8;

    /// <summary>Reads all buffers once.</summary>
    /// <param name="file">The file; its input is read from several threads.</param>
    /// <param name="threads">Threads to use; 0 for one per processor, up to eight.</param>
    /// <param name="create">Makes a visitor.</param>
    /// <typeparam name="TVisitor">What visits the buffers.</typeparam>
    /// <returns>The visitors, one or more.</returns>
    internal static TVisitor[] Run<TVisitor>(EtlFile file, int threads, Func<TVisitor> create)
        where TVisitor : IEtlBufferVisitor
    {
        int batches = (file.Entries.Count + BatchSize - 1) / BatchSize;
        int wanted = threads > 0 ? threads : Math.Min(MostThreads, Environment.ProcessorCount);
        var visitors = new TVisitor[Math.Clamp(wanted, 1, Math.Max(1, batches))];
        int nextBatch = -1;
        Parallel.For(0, visitors.Length, new ParallelOptions { MaxDegreeOfParallelism = visitors.Length }, thread =>
        {
            TVisitor visitor = create();
            visitors[thread] = visitor;
            using var buffer = new EtlBuffer(file.Input, file.ProblemLog);
            int batch;
            while ((batch = Interlocked.Increment(ref nextBatch)) < batches)
            {
                int end = Math.Min(file.Entries.Count, (batch + 1) * BatchSize);
                for (int index = batch * BatchSize; index < end; index++)
                {
                    buffer.Load(file.Entries[index]);
                    visitor.Visit(buffer, index);
                }
            }
        });

        return visitors;
    }
}
