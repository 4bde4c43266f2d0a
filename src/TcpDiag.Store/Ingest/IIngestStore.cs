using System;
using System.Collections.Generic;

namespace TcpDiag.Store.Ingest;

/// <summary>A store that recordings are taken into by many processes.</summary>
interface IIngestStore : IResultStore
{
    /// <summary>The ledger of files that are taken in.</summary>
    /// <param name="owner">Who asks: one name for each process.</param>
    /// <param name="lease">How long a file is a worker's that gives no sign of life.</param>
    IWorkLedger Ledger(string owner, TimeSpan lease);

    /// <summary>Removes all results of a source.</summary>
    void Remove(string source);

    /// <summary>Adds what waits in a spool, if anything does and the server is there again.</summary>
    /// <exception cref="StoreException">The spool or the store refuses it.</exception>
    void Drain();
}

/// <summary>
/// The ledger of files that are taken in, in the store itself: any number of processes share the work by leases. A lease that is not renewed ends, so that a
/// killed worker's file is read by another. It ends too where it reaches further into the future than any lease does: then the clock was set back.
/// </summary>
interface IWorkLedger
{
    /// <summary>Leaves out the files that are settled, without claiming any.</summary>
    IReadOnlyList<DropFile> Unsettled(IReadOnlyList<DropFile> files);

    /// <summary>Claims a file.</summary>
    Claim Claim(DropFile file);

    /// <summary>Renews the leases of this worker.</summary>
    void Renew();

    /// <summary>Gives a file back unread: it was no attempt.</summary>
    void Release(DropFile file);

    /// <summary>Writes down that a file was taken in.</summary>
    /// <returns>What the file of this path was before, where it was another recording that no other path has; else null.</returns>
    string? Finish(DropFile file, string source);

    /// <summary>Writes down that a file was set aside.</summary>
    void Reject(DropFile file, string reason);
}

/// <summary>What a worker may do with a file.</summary>
public enum Claim
{
    /// <summary>Nothing: it was taken in, or rejected.</summary>
    Settled,

    /// <summary>Nothing for now: another worker has it.</summary>
    Taken,

    /// <summary>Read it: it is this worker's until its lease ends.</summary>
    Mine,

    /// <summary>Set it aside: its readers did not come to an end again and again.</summary>
    Poison,
}
