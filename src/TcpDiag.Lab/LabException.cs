using System;

namespace TcpDiag.Lab;

/// <summary>An experiment that cannot be made: what was tried, what came of it, and what helps.</summary>
/// <param name="message">One or two sentences.</param>
public class LabException(string message) : Exception(message);
