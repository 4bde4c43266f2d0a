using System;
using System.Collections.Generic;
using System.Linq;
using System.Management.Automation.Language;

namespace TcpDiag.Scripts.Tests;

/// <summary>The names that a script uses and nobody knows: commands, parameters, variables.</summary>
/// <param name="script">The script.</param>
sealed class NamesUsed(Script script)
{
    readonly ScriptBlockAst _ast = script.Parse(out _).Ast;

    /// <summary>Commands that are neither of Windows PowerShell nor of the script, and parameters that a command has not.</summary>
    public IReadOnlyList<string> UnknownCommands()
    {
        Dictionary<string, HashSet<string>> own = All<FunctionDefinitionAst>().ToDictionary(function => function.Name, Parameters,
            StringComparer.OrdinalIgnoreCase);
        return [.. All<CommandAst>().SelectMany(command => Unknown(command, own)).Distinct(StringComparer.Ordinal)];
    }

    /// <summary>Variables that are read and nowhere set.</summary>
    public IReadOnlyList<string> UnknownVariables()
    {
        HashSet<string> set = new(WindowsPowerShell.Variables, StringComparer.OrdinalIgnoreCase);
        set.UnionWith(All<ParameterAst>().Select(parameter => NameOf(parameter.Name)));
        set.UnionWith(All<ForEachStatementAst>().Select(loop => NameOf(loop.Variable)));
        set.UnionWith(All<AssignmentStatementAst>().SelectMany(assignment => Of<VariableExpressionAst>(assignment.Left)).Select(NameOf));
        return [.. All<VariableExpressionAst>().Where(variable => !variable.VariablePath.IsDriveQualified).Select(NameOf).Where(
            name => !set.Contains(name)).Distinct(StringComparer.Ordinal)];
    }

    /// <summary>Lines whose catch does nothing, not even say why.</summary>
    public IReadOnlyList<int> EmptyCatches() =>
        [.. All<CatchClauseAst>().Where(clause => clause.Body.Statements.Count == 0).Select(clause => clause.Extent.StartLineNumber)];

    static IEnumerable<string> Unknown(CommandAst command, Dictionary<string, HashSet<string>> own)
    {
        if (command.GetCommandName() is not { } name)
        {
            // A block, or a program whose path is a variable's.
            return command.CommandElements[0] is VariableExpressionAst or ScriptBlockExpressionAst ? [] : [command.Extent.Text];
        }

        IEnumerable<string> parameters = command.CommandElements.OfType<CommandParameterAst>().Select(parameter => parameter.ParameterName);
        return WindowsPowerShell.Programs.Contains(name) ? []
            : own.TryGetValue(name, out HashSet<string>? known) ? known.Count == 0 ? []
                : parameters.Where(parameter => !known.Contains(parameter)).Select(parameter => $"{name} -{parameter}")
            : WindowsPowerShell.HasCommand(name) ? parameters.Where(parameter => !WindowsPowerShell.HasParameter(name,
                parameter)).Select(parameter => $"{name} -{parameter}")
            : [name];
    }

    static HashSet<string> Parameters(FunctionDefinitionAst function) =>
        new((function.Parameters ?? function.Body.ParamBlock?.Parameters ?? []).Select(parameter => NameOf(parameter.Name)), StringComparer.OrdinalIgnoreCase);

    // Without the scope.
    static string NameOf(VariableExpressionAst variable) => variable.VariablePath.UserPath is var path && path.Contains(':', StringComparison.Ordinal)
        ? path[(path.IndexOf(':', StringComparison.Ordinal) + 1)..] : path;

    IEnumerable<T> All<T>()
        where T : Ast => Of<T>(_ast);

    static IEnumerable<T> Of<T>(Ast ast)
        where T : Ast => ast.FindAll(node => node is T, searchNestedScriptBlocks: true).Cast<T>();
}
