using System;
using Microsoft.Extensions.Logging;

namespace TcpDiag.Web;

/// <summary>Hands on faults of ours that Kestrel caught while it answered, a line each. What keeps it from starting is thrown, not logged.</summary>
/// <param name="told">Takes the line.</param>
sealed class FaultLog(Action<string> told) : ILoggerFactory, ILogger
{
    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => this;

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider)
    {
    }

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error;

    /// <inheritdoc/>
    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        if (IsEnabled(logLevel))
        {
            told(exception is null ? formatter(state, null) : $"{exception.GetType().Name}: {exception.Message}");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
