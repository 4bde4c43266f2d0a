using System.Collections.Generic;

namespace TcpDiag.Traces.Redaction;

/// <summary>Values of one kind that were replaced, where each was met first, and what stands in their place. Bounded, since a hostile trace has no end of names.</summary>
/// <typeparam name="T">What identifies a value.</typeparam>
sealed class OriginalSet<T>
    where T : notnull
{
    // Far more than one machine meets in a trace, some 20 MB of names.
    const int Most = 1 << 18;

    readonly Dictionary<T, string> _places = [];
    readonly HashSet<T> _images = [];

    /// <summary>The values, each with the place where it was met first.</summary>
    public IReadOnlyDictionary<T, string> Places => _places;

    /// <summary>What stands in their place.</summary>
    public IReadOnlyCollection<T> Images => _images;

    /// <summary>Whether none had to be left out.</summary>
    public bool IsComplete { get; private set; } = true;

    /// <summary>Whether a value was replaced, and does not stand for another one.</summary>
    /// <param name="value">The value.</param>
    /// <returns>True when it gives an original away.</returns>
    public bool IsBetrayed(T value) => _places.ContainsKey(value) && !_images.Contains(value);

    /// <summary>Takes in a value.</summary>
    /// <param name="original">The value.</param>
    /// <param name="image">What stands in its place.</param>
    /// <param name="place">Where it was met.</param>
    public void Add(T original, T image, string place)
    {
        if (_places.Count < Most)
        {
            _places.TryAdd(original, place);
            _images.Add(image);
        }
        else if (!_places.ContainsKey(original))
        {
            IsComplete = false;
        }
    }
}
