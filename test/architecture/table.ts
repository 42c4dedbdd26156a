/** The measures of the tree, room by room. Information: nothing here fails. */
import ts from 'typescript'
import { isPublished, isSource, nodesOf, pathsOf, isTest, type Project } from './project.ts'
import { packageNames, roomOf } from './rooms.ts'
import { functionsOf, linesIn } from './sizes.ts'

export const bar =
  'the bar: file median <= 90, p90 <= 200; function p90 <= 25, p99 <= 50; test:src >= 1.2; comments 10-25 %'

const head = [
  'room',
  'files',
  'lines',
  'file med/p90/max',
  'fn med/p90/p99/max',
  'test:src',
  'comments',
  'docs',
]

export function measureTable(project: Project): string {
  const sources = pathsOf(project, isSource)
  const roomNames = [...new Set(sources.map((path) => roomOf(path) ?? ''))].toSorted()
  const ofRoom = (room: string) => measuresOf(project, room, (path) => roomOf(path) === room)
  const ofPackage = (name: string) =>
    measuresOf(project, name, (path) => path.startsWith(`packages/${name}/`))
  const packageRows = packageNames.filter((name) => !roomNames.includes(name)).map(ofPackage)
  const rows = [head, ...roomNames.map(ofRoom), ...packageRows, measuresOf(project, 'all', () => true)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

function measuresOf(project: Project, room: string, belongs: (path: string) => boolean): readonly string[] {
  const sources = pathsOf(project, (path) => isSource(path) && belongs(path))
  const tests = pathsOf(project, (path) => isPublished(path) && isTest(path) && belongs(path))
  const lengths = (paths: readonly string[]) => paths.map((path) => linesIn(project.files.get(path) ?? ''))
  const trees = sources.map(project.treeOf)
  const functions = trees.flatMap(functionsOf).map(({ lines }) => lines)
  const lines = sum(lengths(sources))
  const exported = trees.flatMap(exportedStatements)
  return [
    room,
    String(sources.length),
    String(lines),
    quantiles(lengths(sources), [0.5, 0.9, 1]),
    quantiles(functions, [0.5, 0.9, 0.99, 1]),
    (sum(lengths(tests)) / lines).toFixed(2),
    percent(sum(trees.map(commentLines)), lines),
    percent(exported.filter(hasDocstring).length, exported.length),
  ]
}

function quantiles(values: readonly number[], shares: readonly number[]): string {
  return shares.map((share) => quantile(values, share)).join(' / ')
}

/** Nearest rank: the smallest value that so large a share of the values does not exceed. 0 for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`
}

/** Lines that a comment touches. */
export function commentLines(tree: ts.SourceFile): number {
  const touched = new Set<number>()
  for (const node of tokensOf(tree, tree)) {
    const position = node.getFullStart()
    const comments = [
      ...(ts.getLeadingCommentRanges(tree.text, position) ?? []),
      ...(ts.getTrailingCommentRanges(tree.text, position) ?? []),
    ]
    for (const { pos, end } of comments) {
      const last = tree.getLineAndCharacterOfPosition(end).line
      for (let line = tree.getLineAndCharacterOfPosition(pos).line; line <= last; line += 1) touched.add(line)
    }
  }
  return touched.size
}

function* tokensOf(node: ts.Node, tree: ts.SourceFile): Generator<ts.Node> {
  if (ts.isJSDoc(node)) return
  const children = node.getChildren(tree)
  if (children.length === 0) yield node
  for (const child of children) yield* tokensOf(child, tree)
}

/** Functions, classes, types and values that a file gives away, re-exports apart. */
export function exportedStatements(tree: ts.SourceFile): readonly ts.Statement[] {
  return tree.statements.filter(
    (statement) =>
      !ts.isExportDeclaration(statement) &&
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true,
  )
}

export function hasDocstring(statement: ts.Statement): boolean {
  return [...nodesOf(statement)].slice(0, 1).some((node) => ts.getJSDocCommentsAndTags(node).length > 0)
}
