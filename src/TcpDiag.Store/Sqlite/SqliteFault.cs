namespace TcpDiag.Store.Sqlite;

/// <summary>Says what went wrong with a file of SQLite, and what to do. Codes: sqlite.org/rescode.html.</summary>
static class SqliteFault
{
    const int Primary = 0xFF; // an extended code has the plain one in its last byte
    const int Busy = 5;
    const int Locked = 6;
    const int ReadOnly = 8;
    const int InputOutput = 10;
    const int Corrupt = 11;
    const int Full = 13;
    const int CannotOpen = 14;
    const int NoDatabase = 26;

    // Extended: the file beside the store, by which its users know of each other, cannot grow.
    const int CannotGrowShared = InputOutput | (19 << 8);

    const string NoRoom = "the store could not grow: the disk is full. What was there before is whole.";

    /// <summary>What an error means, behind the name of the file.</summary>
    /// <param name="code">The error.</param>
    /// <param name="extended">The same in more detail.</param>
    /// <param name="message">SQLite's own words; null without any.</param>
    public static string Describe(int code, int extended, string? message) => (code & Primary) switch
    {
        Busy or Locked => "another program has been writing to the store for longer than a minute. Try again.",
        ReadOnly => "the store cannot be written: the file or its folder is read-only for this user.",
        Full => NoRoom,
        CannotOpen => "the store cannot be opened: see that the folder exists, and that this user may write there.",
        NoDatabase => "is no store: expected a file of SQLite, found something else.",
        Corrupt => "the store is damaged. sqlite3 FILE \".recover\" saves what can be read; recordings can be added again.",
        InputOutput when extended == CannotGrowShared => NoRoom,
        InputOutput => $"the store could not be read or written (error {extended}): see the disk, and whether it is full.",
        _ => $"SQLite says: {message ?? $"error {code}"}",
    };
}
