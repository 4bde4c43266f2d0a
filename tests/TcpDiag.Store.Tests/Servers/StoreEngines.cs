using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using TcpDiag.Testing;
using Xunit;
using Xunit.Sdk;

namespace TcpDiag.Store.Tests.Servers;

/// <summary>What keeps a store.</summary>
public enum StoreEngine
{
    /// <summary>A file of SQLite.</summary>
    Sqlite,

    /// <summary>A server of ClickHouse.</summary>
    ClickHouse,
}

/// <summary>Runs a theory on a file of SQLite, with these arguments behind the engine.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class OnSqliteAttribute(params object[] more) : DataAttribute
{
    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => [[StoreEngine.Sqlite, .. more]];
}

/// <summary>Runs a theory on a real server of ClickHouse, with these arguments behind the engine; skipped where there is none.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class OnClickHouseAttribute(params object[] more) : DataAttribute
{
    public override string Skip
    {
        get => SkipReason.Linux() ?? SkipReason.Tools("clickhouse-server", "setpriv")!;
        set => throw new NotSupportedException();
    }

    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => [[StoreEngine.ClickHouse, .. more]];
}

/// <summary>A theory that takes minutes: runs with <c>./test.sh --long</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LongTheoryAttribute : TheoryAttribute
{
    public LongTheoryAttribute() => Skip = SkipReason.Long();
}

/// <summary>The one server that tests share; each has databases of its own on it.</summary>
static class SharedServer
{
    static readonly Lazy<ClickHouseProcess> One = new(Start);
    static int _databases;

    public static ClickHouseProcess Server => One.Value;

    /// <summary>A name that no test has had.</summary>
    public static string NewDatabase() => FormattableString.Invariant($"test_{Interlocked.Increment(ref _databases)}");

    static ClickHouseProcess Start()
    {
        var server = ClickHouseProcess.Start();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => server.Dispose();
        return server;
    }
}
