using System;
using System.Collections.Generic;

namespace TcpDiag.Locate.Clocks;

/// <summary>
/// The lower edge of points (convex hull, Andrew 1979): which line of a given slope lies just below all of them is asked of a few corners instead of all
/// points. Moon, Skelly and Towsley (INFOCOM 1999) find skew by it: what waits in queues lies above the edge.
/// </summary>
sealed class Envelope
{
    readonly List<(double X, double Y)> _corners = [];

    /// <summary>Whether there is no point.</summary>
    public bool IsEmpty => _corners.Count == 0;

    /// <summary>Adds a point; call with X ascending.</summary>
    public void Add(double x, double y)
    {
        if (_corners.Count > 0 && _corners[^1].X >= x)
        {
            if (_corners[^1].Y <= y)
            {
                return;
            }

            _corners.RemoveAt(_corners.Count - 1);
        }

        while (_corners.Count >= 2 && Turn(_corners[^2], _corners[^1], (x, y)) <= 0)
        {
            _corners.RemoveAt(_corners.Count - 1);
        }

        _corners.Add((x, y));
    }

    /// <summary>The height at X = 0 of the highest line of a slope that no point lies below.</summary>
    /// <param name="slope">The slope.</param>
    /// <returns>The height; infinite without points.</returns>
    public double Support(double slope)
    {
        double least = double.PositiveInfinity;
        foreach ((double x, double y) in _corners)
        {
            least = Math.Min(least, y - (slope * x));
        }

        return least;
    }

    /// <summary>The slopes of its edges.</summary>
    public IEnumerable<double> Slopes()
    {
        for (int i = 1; i < _corners.Count; i++)
        {
            yield return (_corners[i].Y - _corners[i - 1].Y) / (_corners[i].X - _corners[i - 1].X);
        }
    }

    static double Turn((double X, double Y) one, (double X, double Y) two, (double X, double Y) three) =>
        ((two.X - one.X) * (three.Y - one.Y)) - ((two.Y - one.Y) * (three.X - one.X));
}
