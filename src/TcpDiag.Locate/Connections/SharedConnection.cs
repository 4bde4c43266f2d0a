using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Intake;

namespace TcpDiag.Locate.Connections;

/// <summary>One connection at the points that saw it.</summary>
sealed class SharedConnection
{
    /// <summary>Where it was seen, in the order of the command line; later, from the client to the server.</summary>
    public List<Sighting> Sightings { get; } = [];

    /// <summary>By what it was recognised: the weakest of its links.</summary>
    public Recognition By { get; private set; } = Recognition.Addresses;

    /// <summary>Whether a point saw it.</summary>
    public bool IsSeenAt(VantagePoint point) => Sightings.Exists(sighting => sighting.Point == point);

    /// <summary>Whether no point saw both.</summary>
    public bool IsApartFrom(SharedConnection other) => !Sightings.Exists(sighting => other.IsSeenAt(sighting.Point));

    /// <summary>Takes over another's sightings.</summary>
    /// <param name="other">Empty from now on.</param>
    /// <param name="by">By what both were recognised as one.</param>
    /// <param name="isTurned">Whether the other's client is this one's server.</param>
    /// <param name="shiftOfClient">What its client's sequence numbers are ahead of this one's.</param>
    /// <param name="shiftOfServer">The same of its server.</param>
    public void Take(SharedConnection other, Recognition by, bool isTurned, uint shiftOfClient = 0, uint shiftOfServer = 0)
    {
        foreach (Sighting sighting in other.Sightings)
        {
            Sightings.Add(sighting.Moved(isTurned, shiftOfClient, shiftOfServer));
        }

        other.Sightings.Clear();
        By = (Recognition)System.Math.Max((int)By, System.Math.Max((int)by, (int)other.By));
    }

    /// <summary>Turns it so that the end which sent the SYN is the client.</summary>
    public void Orient()
    {
        if (Sightings.FirstOrDefault(sighting => sighting.Seen.IsClientHigh is not null) is { } known && known.Seen.IsClientHigh != known.IsClientHigh)
        {
            for (int i = 0; i < Sightings.Count; i++)
            {
                Sightings[i] = Sightings[i].Turned();
            }
        }
    }
}

/// <summary>A connection at one point.</summary>
/// <param name="Point">The point.</param>
/// <param name="Seen">The connection there.</param>
/// <param name="IsClientHigh">Whether the client is the endpoint that sorts last there.</param>
/// <param name="ShiftOfClient">What its client's sequence numbers are ahead of the others': a middlebox moves them.</param>
/// <param name="ShiftOfServer">The same of its server.</param>
sealed record Sighting(VantagePoint Point, SeenConnection Seen, bool IsClientHigh, uint ShiftOfClient = 0, uint ShiftOfServer = 0)
{
    /// <summary>What the sequence numbers of an end are ahead.</summary>
    public uint ShiftOf(bool isClient) => isClient ? ShiftOfClient : ShiftOfServer;

    /// <summary>The opening of an end.</summary>
    public ref readonly Opening OpeningOf(bool isClient) => ref Seen.OpeningOf(isClient == IsClientHigh);

    /// <summary>Hop limit of an end's packets.</summary>
    public byte HopLimitOf(bool isClient) => Seen.HopLimitOf(isClient == IsClientHigh);

    /// <summary>The same with the ends exchanged.</summary>
    public Sighting Turned() => this with { IsClientHigh = !IsClientHigh, ShiftOfClient = ShiftOfServer, ShiftOfServer = ShiftOfClient };

    /// <summary>The same seen from another connection.</summary>
    public Sighting Moved(bool isTurned, uint client, uint server)
    {
        Sighting own = isTurned ? Turned() : this;
        return own with { ShiftOfClient = unchecked(own.ShiftOfClient + client), ShiftOfServer = unchecked(own.ShiftOfServer + server) };
    }
}

/// <summary>By what a connection was recognised, the surest first.</summary>
public enum Recognition
{
    /// <summary>The same addresses and ports, and sequence numbers that agree.</summary>
    Addresses,

    /// <summary>Through NAT, by the initial sequence numbers.</summary>
    InitialSequence,

    /// <summary>Through NAT, by raw sequence numbers, acknowledgments and timestamps of its packets.</summary>
    SequenceNumbers,

    /// <summary>The same addresses and ports, but every sequence number moved by a constant.</summary>
    MovedSequence,

    /// <summary>Through a middlebox that moves sequence numbers, by what it carries.</summary>
    Payload,
}
