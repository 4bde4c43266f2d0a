using System;

namespace TcpDiag.Report.Json;

/// <summary>
/// Fields beside each other that are the same in most objects of a list, as the counts of what is rare. While their values stay as they are, what was written for them last is copied:
/// it was made of these values alone.
/// </summary>
/// <typeparam name="T">Their values.</typeparam>
/// <param name="writeFields">Writes them.</param>
sealed class JsonRun<T>(Action<JsonOutput, T> writeFields)
    where T : struct, IEquatable<T>
{
    const int MostBytes = 1024;

    readonly byte[] _written = new byte[MostBytes];
    int _length;
    T _values;

    /// <summary>Writes the fields.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="values">Their values.</param>
    public void Write(JsonOutput json, in T values)
    {
        if (_length > 0 && values.Equals(_values))
        {
            json.WriteFields(_written.AsSpan(0, _length));
            return;
        }

        ReadOnlySpan<byte> written = json.WriteFields(values, writeFields, MostBytes);
        written.CopyTo(_written);
        _length = written.Length;
        _values = values;
    }
}
