using System;

namespace TcpDiag.Web;

/// <summary>A request asks for what cannot be: what was expected, and what was found.</summary>
/// <param name="message">One sentence.</param>
sealed class QueryException(string message) : Exception(message);

/// <summary>What is asked for is not there.</summary>
/// <param name="message">One sentence.</param>
sealed class NotThereException(string message) : Exception(message);
