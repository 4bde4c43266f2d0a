namespace TcpDiag.Cli;

static class Program
{
    static int Main() => 0;
}
