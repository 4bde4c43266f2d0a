using System;
using TcpDiag.Redaction;
using TcpDiag.Wire;

namespace TcpDiag.Store.Rows;

/// <summary>
/// How what names somebody is written into rows: as it is, or as the pseudonym that a redaction under the store's key would give. One for each result; not
/// thread-safe.
/// </summary>
public sealed class PersonalNames : IDisposable
{
    const string MachinePurpose = "machines";

    readonly RedactionKey _key;
    readonly Pseudonyms? _pseudonyms;

    /// <summary>Prepares the names of a result.</summary>
    /// <param name="key">The store's key.</param>
    /// <param name="keepsAddresses">Whether addresses and names are written as they are.</param>
    public PersonalNames(RedactionKey key, bool keepsAddresses)
    {
        ArgumentNullException.ThrowIfNull(key);
        _key = key;
        _pseudonyms = keepsAddresses ? null : new Pseudonyms(key);
    }

    /// <summary>The same names, of which nothing is remembered yet.</summary>
    internal PersonalNames Anew() => new(_key, _pseudonyms is null);

    /// <summary>How an address is written.</summary>
    public string Of(IpAddress address) => (_pseudonyms?.Map(address) ?? address).ToString();

    /// <summary>How the name of a program is written; words that programs of many machines have in common stay.</summary>
    public string? OfProgram(string? name) => name is null ? null : _pseudonyms?.MapText(name) ?? name;

    /// <summary>How the name of a host is written, label by label.</summary>
    public string? OfHost(string? name) => name is null ? null : _pseudonyms?.MapName(name) ?? name;

    /// <summary>How a machine is written: short, and the same one for the same machine.</summary>
    /// <param name="identity">What tells it from others.</param>
    public string? OfMachine(string? identity) => identity is null ? null : _pseudonyms is null ? identity : $"m-{_key.PseudonymOf(MachinePurpose, identity)}";

    /// <inheritdoc/>
    public void Dispose() => _pseudonyms?.Dispose();
}
