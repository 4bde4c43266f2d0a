using System;
using TcpDiag.Traces.Redaction;

namespace TcpDiag.Traces.Tests.Redaction;

static class TestKeys
{
    public static RedactionKey First { get; } = Read(new string('1', 64));

    public static RedactionKey Second { get; } = Read(new string('2', 64));

    static RedactionKey Read(string text) => RedactionKey.TryParse(text, out RedactionKey? key) ? key! : throw new FormatException(text);
}
