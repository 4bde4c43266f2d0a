namespace TcpDiag.Traces.Etl;

/// <summary>What one thread of an <see cref="EtlBufferSweep"/> does with the buffers it gets.</summary>
interface IEtlBufferVisitor
{
    /// <summary>Takes in a buffer that was just loaded.</summary>
    /// <param name="buffer">Stands before its first record; valid until this returns.</param>
    /// <param name="index">Its place in <see cref="EtlFile.Entries"/>; a visitor meets rising ones.</param>
    void Visit(EtlBuffer buffer, int index);
}
