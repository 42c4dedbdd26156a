/** The measures of the tree, room by room. Information: nothing here fails. */
import ts from 'typescript'
import { isPublished, isSource, pathsOf, isTest, type Project } from './project.ts'
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
  const measured = sources.map((path) => measureFile(project, path))
  const tests = pathsOf(project, (path) => isPublished(path) && isTest(path)).map((path) => ({
    path,
    lines: linesIn(project.files.get(path) ?? ''),
  }))
  const rowOf = (name: string, belongs: (path: string) => boolean) => {
    const accepts = ({ path }: { readonly path: string }) => belongs(path)
    const testLines = sum(tests.filter(accepts).map(({ lines }) => lines))
    return [name, ...cellsOf(measured.filter(accepts), testLines)]
  }
  const roomNames = [...new Set(sources.map((path) => roomOf(path) ?? ''))].toSorted()
  const ofRoom = (room: string) => rowOf(room, (path) => roomOf(path) === room)
  const ofPackage = (name: string) => rowOf(name, (path) => path.startsWith(`packages/${name}/`))
  const packageRows = packageNames.filter((name) => !roomNames.includes(name)).map(ofPackage)
  const rows = [head, ...roomNames.map(ofRoom), ...packageRows, rowOf('all', () => true)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

/** Each file is in a room, in a package, and in all of them. */
interface Measures {
  readonly path: string
  readonly lines: number
  readonly functions: readonly number[]
  readonly comments: number
  readonly exported: number
  readonly documented: number
}

function measureFile(project: Project, path: string): Measures {
  const tree = project.treeOf(path)
  const exported = exportedStatements(tree)
  return {
    path,
    lines: linesIn(tree.text),
    functions: functionsOf(tree).map(({ lines }) => lines),
    comments: commentLines(tree),
    exported: exported.length,
    documented: exported.filter(hasDocstring).length,
  }
}

function cellsOf(files: readonly Measures[], testLines: number): readonly string[] {
  const lengths = files.map(({ lines }) => lines)
  const lines = sum(lengths)
  return [
    String(files.length),
    String(lines),
    quantiles(lengths, [0.5, 0.9, 1]),
    quantiles(
      files.flatMap(({ functions }) => functions),
      [0.5, 0.9, 0.99, 1],
    ),
    (testLines / lines).toFixed(2),
    percent(sum(files.map(({ comments }) => comments)), lines),
    percent(sum(files.map(({ documented }) => documented)), sum(files.map(({ exported }) => exported))),
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
  return ts.getJSDocCommentsAndTags(statement).length > 0
}
