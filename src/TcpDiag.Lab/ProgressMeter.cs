using System;
using System.Threading;
using TcpDiag.Shim;

namespace TcpDiag.Lab;

/// <summary>Counts the runs of an experiment and estimates how long the rest takes: as long each as those made since its start, several at once.</summary>
/// <param name="tell">Told how it stands, on one thread at a time.</param>
/// <param name="time">The clock.</param>
/// <param name="count">Runs in all.</param>
/// <param name="finished">Runs that are finished already.</param>
sealed class ProgressMeter(Action<LabProgress> tell, TimeProvider time, int count, int finished)
{
    readonly Lock _telling = new();
    readonly long _start = time.GetTimestamp();
    int _made;

    /// <summary>A run begins, or goes on.</summary>
    /// <param name="current">The run.</param>
    /// <param name="path">How its path stands; null when it begins.</param>
    public void Tell(PlannedIteration current, ShimFigures? path = null)
    {
        lock (_telling)
        {
            tell(new LabProgress(current, finished + _made, count, Left(), path));
        }
    }

    /// <summary>A run is finished.</summary>
    public void Finish()
    {
        lock (_telling)
        {
            _made++;
        }
    }

    TimeSpan? Left() => _made == 0 ? null : time.GetElapsedTime(_start) / _made * (count - finished - _made);
}
