using System;
using System.Collections.Generic;
using TcpDiag.Store.Rows;

namespace TcpDiag.Store.Ingest;

/// <summary>A store that recordings are taken into by many processes.</summary>
interface IIngestStore : IResultStore
{
    /// <summary>The leases of files that are taken in.</summary>
    /// <param name="owner">Who asks: one name for each process.</param>
    /// <param name="lease">How long a file is a worker's that gives no sign of life.</param>
    IWorkLeases Leases(string owner, TimeSpan lease);

    /// <summary>What would become of recordings, so that they need not be read in vain.</summary>
    /// <param name="sources">Their hashes.</param>
    /// <param name="version">The program's.</param>
    /// <returns>What <see cref="AddAll"/> would return.</returns>
    IReadOnlyList<AddOutcome> ExpectAll(IReadOnlyList<string> sources, Version version);

    /// <summary>Adds results together: on a server, in as few requests as one of them takes.</summary>
    /// <param name="results">The results; their rows may be enumerated more than once.</param>
    /// <returns>What became of each.</returns>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    IReadOnlyList<AddOutcome> AddAll(IReadOnlyList<ResultRows> results);

    /// <summary>Removes all results of a source.</summary>
    void Remove(string source);

    /// <summary>Adds what waits in a spool, if anything does and the server is there again.</summary>
    /// <exception cref="StoreException">The spool or the store refuses it.</exception>
    void Drain();
}

/// <summary>
/// The leases of files that are taken in, in the store itself: any number of processes share the work by leases. A lease that is not renewed ends, so that a
/// killed worker's file is read by another. It ends too where it reaches further into the future than any lease does: then the clock was set back.
/// </summary>
interface IWorkLeases
{
    /// <summary>Leaves out the files that are settled, without claiming any.</summary>
    IReadOnlyList<DropFile> Unsettled(IReadOnlyList<DropFile> files);

    /// <summary>Claims a file.</summary>
    Claim Claim(DropFile file);

    /// <summary>
    /// Claims files together that nobody has claimed as they are: where one ends its readers, the others are not tried in vain again and again.
    /// </summary>
    /// <returns>Of each <see cref="Ingest.Claim.Mine"/>, <see cref="Ingest.Claim.Taken"/>, or <see cref="Ingest.Claim.Alone"/>.</returns>
    IReadOnlyList<Claim> ClaimNew(IReadOnlyList<DropFile> files);

    /// <summary>Renews the leases of this worker.</summary>
    void Renew();

    /// <summary>Gives a file back unread: it was no attempt.</summary>
    void Release(DropFile file);

    /// <summary>Writes down that files were taken in.</summary>
    /// <returns>What files of these paths were before, where they were other recordings that no other path has.</returns>
    IReadOnlyList<string> Finish(IReadOnlyList<FinishedFile> files);

    /// <summary>Writes down that a file was set aside.</summary>
    void Reject(DropFile file, string reason);
}

/// <summary>A file that was taken in.</summary>
/// <param name="File">The file.</param>
/// <param name="Source">SHA-256 of the recording.</param>
sealed record FinishedFile(DropFile File, string Source);

/// <summary>What a worker may do with a file.</summary>
public enum Claim
{
    /// <summary>Nothing: it was taken in, or rejected.</summary>
    Settled,

    /// <summary>Nothing for now: another worker has it.</summary>
    Taken,

    /// <summary>Read it: it is this worker's until its lease ends.</summary>
    Mine,

    /// <summary>Nothing yet: it was claimed before, and is to be claimed by itself.</summary>
    Alone,

    /// <summary>Set it aside: its readers did not come to an end again and again.</summary>
    Poison,
}
