using System;
using System.Collections.Generic;
using System.Linq;
using System.Management.Automation.Language;
using System.Text.RegularExpressions;

namespace TcpDiag.Scripts.Tests;

/// <summary>What versions of PowerShell behind 5.1 have brought: 5.1 does not parse it, or takes it for something else.</summary>
static partial class LaterSyntax
{
    static readonly HashSet<TokenKind> Operators = [TokenKind.AndAnd, TokenKind.OrOr, TokenKind.QuestionQuestion, TokenKind.QuestionQuestionEquals,
        TokenKind.QuestionDot, TokenKind.QuestionLBracket];

    /// <summary>Finds it in a script.</summary>
    /// <param name="script">The script.</param>
    /// <returns>Each with its line.</returns>
    public static IReadOnlyList<string> Find(Script script)
    {
        (ScriptBlockAst ast, _) = script.Parse(out Token[] tokens);
        IEnumerable<IScriptExtent> inTree = ast.FindAll(IsLater, searchNestedScriptBlocks: true).Select(node => node.Extent);
        IEnumerable<IScriptExtent> inWords = tokens.Where(IsLater).Select(token => token.Extent);
        return [.. inTree.Concat(inWords).Select(extent => FormattableString.Invariant($"{extent.StartLineNumber}: {extent.Text}"))];
    }

    static bool IsLater(Ast node) =>
        node is TernaryExpressionAst or PipelineChainAst or PipelineAst { Background: true } or ScriptBlockAst { CleanBlock: not null };

    static bool IsLater(Token token) => Operators.Contains(token.Kind)
        || (token is NumberToken && LaterNumber().IsMatch(token.Text))
        || (token is StringExpandableToken && LaterEscape().IsMatch(token.Text));

    // 6.2: suffixes for bytes, unsigned and huge numbers; 7.0: binary ones.
    [GeneratedRegex("^(0b[01]+|[0-9][0-9.]*(u|y|uy|s|us|ul|n)|0x[0-9a-f]+(u|y|uy|s|us|ul|n))$", RegexOptions.IgnoreCase | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000)]
    private static partial Regex LaterNumber();

    // 6.0: `e and `u{…}.
    [GeneratedRegex("`(e|u\\{)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LaterEscape();
}
