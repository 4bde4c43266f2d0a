using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Doctor;
using Xunit;

namespace TcpDiag.Cli.Tests.Languages;

public sealed class MessageTests
{
    static readonly IReadOnlyCollection<string> Made = MessagesOf.Assembly(typeof(Check).Assembly);

    [Fact]
    public void Dump()
    {
        System.IO.File.WriteAllLines("/tmp/made.txt", Made);
    }
}
