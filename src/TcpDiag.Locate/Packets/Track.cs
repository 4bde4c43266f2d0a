using System;

namespace TcpDiag.Locate.Packets;

/// <summary>One transmission and where it was seen.</summary>
/// <param name="places">How many points there are.</param>
sealed class Track(int places)
{
    const int Unseen = -1;

    readonly int[] _seen = Filled(places);

    /// <summary>The first point that saw it.</summary>
    public int First { get; private set; } = Unseen;

    /// <summary>The last one.</summary>
    public int Last { get; private set; } = Unseen;

    /// <summary>Whether it is a copy that something on the way made of another.</summary>
    public bool IsCopy { get; init; }

    /// <summary>Whether it is known to have gone on in other pieces, or to be made of them.</summary>
    public bool IsResegmented { get; set; }

    /// <summary>Whether a point saw it.</summary>
    public bool IsSeen(int place) => _seen[place] != Unseen;

    /// <summary>Its piece at a point.</summary>
    public int At(int place) => _seen[place];

    /// <summary>A point saw it.</summary>
    public void See(int place, int piece)
    {
        _seen[place] = piece;
        First = First == Unseen ? place : First;
        Last = place;
    }

    static int[] Filled(int places)
    {
        int[] seen = new int[places];
        Array.Fill(seen, Unseen);
        return seen;
    }
}
