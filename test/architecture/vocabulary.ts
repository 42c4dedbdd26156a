/** Words of our own that the field has better ones for, and tables that must stand in one place. */
import ts from 'typescript'
import { isSource, lineOf, nodesOf, pathsOf, type Gate, type Problem } from './project.ts'

/** What a name may not hold → the word to use. */
const oldWords: readonly (readonly [RegExp, string])[] = [
  [/^[rR]id(?:e|es|ing)(?![a-z])|[a-z_]Rid(?:e|es|ing)(?![a-z])/, 'agent session'],
  [/^[tT]old(?=[A-Z]|$)/, 'recorded or reported'],
  [/^[lL]aps?(?![a-z])|[a-z_]Laps?(?![a-z])/, 'repeat count'],
  [/^epoch(?!Ms|s?$)|[a-z_]Epoch(?!Ms|s?$)/, 'progress generation'],
  [/[sS]en[dt]Back/, 'block the stop'],
  [/[wW]rapUp/, 'final summary'],
  [/[lL]astWord/, 'final summary'],
  [/^[rR]eckon|[a-z_]Reckon/, 'evaluate or estimate'],
  [/^[hH]ollow|[a-z_]Hollow/, 'vacuous'],
  [/^(?:Standing|Surroundings|Told|Said|Spoken|Heard)$/, 'what it holds'],
  [/^[dD]iesWithUs|^[wW]hoSits|^[jJ]udgedAlone|^[cC]learCall$/, 'what it does'],
  [/^[aA]skedCalls?$/, 'permission request'],
  [/[lL]etGo(?![a-z])/, 'allow the stop'],
]

/** A finding names the file once for each word. */
export const vocabulary: Gate<'vocabulary'> = {
  name: 'vocabulary',
  find: (project) =>
    pathsOf(project, isSource).flatMap((where) =>
      nodesOf(project.treeOf(where)).flatMap((node): readonly Problem[] => {
        if (!isDeclaredName(node)) return []
        const better = oldWords.find(([word]) => word.test(node.text))?.[1]
        return better === undefined
          ? []
          : [{ where, line: lineOf(node), message: `"${node.text}": the field says ${better}` }]
      }),
    ),
}

function isDeclaredName(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node)) return false
  const { parent } = node
  const declares =
    ts.isFunctionDeclaration(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isMethodDeclaration(parent)
  return declares && parent.name === node
}

/** Each of these is listed once, and everything else about it is read from there. */
const tables: Readonly<Record<string, string>> = {
  capTable: 'packages/core/src/budgets/index.ts',
  knownAgents: 'packages/agents/src/protocol/registry/index.ts',
  optionTable: 'packages/donecheck/src/cli/options/table.ts',
  wrappers: 'packages/engine/src/analysis/shell/programs/wrappers.ts',
  sideReasons: 'packages/engine/src/analysis/sides/placement.ts',
  stopOrder: 'packages/core/src/decide/stops/index.ts',
}

/** No second list under the same name, and none elsewhere. */
export const onePlace: Gate<'one-place'> = {
  name: 'one-place',
  find: (project) =>
    pathsOf(project, isSource).flatMap((where) =>
      project.treeOf(where).statements.flatMap((statement): readonly Problem[] => {
        if (!ts.isVariableStatement(statement)) return []
        return statement.declarationList.declarations.flatMap(({ name }) => {
          const home = ts.isIdentifier(name) && Object.hasOwn(tables, name.text) ? tables[name.text] : where
          return home === where || home === undefined
            ? []
            : [{ where, line: lineOf(statement), message: `${name.getText()} is listed in ${home}` }]
        })
      }),
    ),
}

export const tablePlaces = Object.values(tables)
