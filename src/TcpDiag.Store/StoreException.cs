using System;

namespace TcpDiag.Store;

/// <summary>A store cannot be opened, read or written.</summary>
public class StoreException : Exception
{
    /// <summary>Makes one.</summary>
    /// <param name="message">Which store, what is wrong, and what to do.</param>
    /// <param name="inner">What it follows from; null where it was found out here.</param>
    public StoreException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }

    /// <summary>The server's code; 0 for none.</summary>
    internal int Code { get; init; }
}

/// <summary>The server of a store cannot be reached, or cannot work just now; what was asked may be asked again.</summary>
/// <param name="message">Which store, and what is wrong.</param>
/// <param name="inner">What it follows from; null where it was found out here.</param>
public sealed class StoreUnreachableException(string message, Exception? inner = null) : StoreException(message, inner);

/// <summary>A recording was changed while it was read; what was read of it is of neither form.</summary>
/// <param name="path">The recording.</param>
public sealed class RecordingChangedException(string path)
    : Exception($"{path}: was changed while it was read. Nothing of it is stored; add it again when it is complete.");
