using System;
using System.IO;
using TcpDiag.Traces.Redaction;

namespace TcpDiag.Cli.Redaction;

/// <summary>Reads the key of a redaction. Nothing ever writes one.</summary>
static class KeyFile
{
    // More than a key and white space.
    const int MostCharacters = 1024;

    /// <summary>Reads a key.</summary>
    /// <param name="path">The file; null for a new key that nobody will know.</param>
    /// <returns>The key.</returns>
    /// <exception cref="IOException">The file cannot be read or holds no key.</exception>
    public static RedactionKey Read(string? path)
    {
        if (path is null)
        {
            return RedactionKey.Random();
        }

        char[] text = new char[MostCharacters];
        using StreamReader reader = File.OpenText(path);
        int length = reader.ReadBlock(text);
        return length < MostCharacters && RedactionKey.TryParse(text.AsSpan(0, length), out RedactionKey? key)
            ? key!
            : throw new IOException($"{path}: expected a key of {2 * RedactionKey.Bytes} hexadecimal digits. `openssl rand -hex {RedactionKey.Bytes}` makes one.");
    }
}
