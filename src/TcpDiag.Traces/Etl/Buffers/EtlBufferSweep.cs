using System;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Traces.Etl.Buffers;

/// <summary>
/// Passes every buffer of a file to one of several visitors, each on its own thread. Which visitor gets which buffer
/// is left to chance: what visitors gather must add up to the same however the buffers fall.
/// </summary>
static class EtlBufferSweep
{
    // Buffers a thread takes at once: few enough to share out evenly, enough for the system to read ahead.
    const int BatchSize = 16;

    // Beyond this the memory is busy, not the processors.
    const int MaxThreads = 8;

    /// <summary>Reads all buffers once.</summary>
    /// <param name="file">The file; its input is read from several threads.</param>
    /// <param name="threads">Threads to use; 0 for one per processor, up to eight.</param>
    /// <param name="create">Makes a visitor.</param>
    /// <typeparam name="TVisitor">What visits the buffers.</typeparam>
    internal static TVisitor[] Run<TVisitor>(EtlFile file, int threads, Func<TVisitor> create)
        where TVisitor : IEtlBufferVisitor
    {
        int batches = (file.Entries.Count + BatchSize - 1) / BatchSize;
        int wanted = threads > 0 ? threads : Math.Min(MaxThreads, Environment.ProcessorCount);
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

/// <summary>What one thread of an <see cref="EtlBufferSweep"/> does with the buffers it gets.</summary>
interface IEtlBufferVisitor
{
    /// <summary>Takes in a buffer that was just loaded.</summary>
    /// <param name="buffer">At its first record; valid until this returns.</param>
    /// <param name="index">Its place in <see cref="EtlFile.Entries"/>; a visitor meets rising ones.</param>
    void Visit(EtlBuffer buffer, int index);
}
