namespace TcpDiag.Traces.Redaction;

/// <summary>Which words of a text stay, besides well-known ones and short numbers.</summary>
enum TextRule
{
    /// <summary>None.</summary>
    Ordinary,

    /// <summary>Numbers of any length: counters.</summary>
    Facts,

    /// <summary>Numbers of any length behind an equals sign: values of settings.</summary>
    Settings,

    /// <summary>All that are not replaced elsewhere: names that the system gives to its settings, which may have that of an interface in them. Other texts must have been learnt before.</summary>
    Names,

    /// <summary>As <see cref="Names"/> behind the last blank, as <see cref="Facts"/> before it: an adapter and its driver.</summary>
    NameAtEnd,

    /// <summary>As <see cref="Names"/> before the first parenthesis, as <see cref="Facts"/> from there on: a kernel's release, and who has built it.</summary>
    NameAtStart,

    /// <summary>Numbers, and the words of this program's own sentences, whoever else bears such a name; not what was filled in.</summary>
    Sentence,

    /// <summary>None, and two or three numbers with dots between them are a network: a list of hosts and networks.</summary>
    Networks,

    /// <summary>As <see cref="Facts"/> before the last backslash, nothing behind it: a device instance path.</summary>
    DevicePath,

    /// <summary>All: a name by which this program knows a place.</summary>
    Own,
}
