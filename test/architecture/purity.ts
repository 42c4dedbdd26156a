/** I3: no clock, no randomness and no input or output in pure rooms. I1: only run/ appends events. */
import ts from 'typescript'
import { importsOf, packageOf } from './imports.ts'
import { isSource, nodeGate, nodesOf, pathsOf, type Gate } from './project.ts'
import { appendingRooms, pureLibraries, pureRooms, roomOf } from './rooms.ts'

const forbiddenGlobals: readonly string[] = [
  'process',
  'fetch',
  'console',
  'performance',
  'crypto',
  'Temporal',
  'globalThis',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'require',
]

const isPure = (path: string) => isSource(path) && pureRooms.includes(roomOf(path) ?? '')

export const purity: Gate<'purity'> = {
  name: 'purity',
  find: (project) => [
    ...globals.find(project),
    ...pathsOf(project, isPure).flatMap((where) =>
      importsOf(project.treeOf(where))
        .filter(({ specifier }) => !pureLibraries.includes(packageOf(specifier) ?? specifier))
        .filter(({ specifier }) => packageOf(specifier) !== undefined)
        .map(({ specifier, line }) => ({
          where,
          line,
          message: `${specifier} is not among the pure libraries`,
        })),
    ),
  ],
}

const globals = nodeGate('purity', isPure, (node, tree) => {
  if (!ts.isIdentifier(node) || isOnlyAName(node) || namesDeclaredIn(tree).has(node.text)) return undefined
  if (forbiddenGlobals.includes(node.text)) return `${node.text} belongs to the world`
  if (node.text === 'Date' && !isPureDate(node)) return 'time arrives inside events'
  if (node.text === 'Math' && !isPureMath(node)) return 'no randomness here'
  return undefined
})

/** The right side of `x.name`, a key, a type: the word is there and the global is not used. */
function isOnlyAName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return true
  const isKey =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isPropertyDeclaration(parent)
  if (isKey) return parent.name === node
  return ts.isBindingElement(parent) && parent.propertyName === node
}

/**
 * `new Date(ms)`, `Date.UTC(…)` and `Date.parse(…)` compute, and the methods under `Date.prototype` read a date that is
 * there; everything else reads the clock, or may be made to.
 */
function isPureDate(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isNewExpression(parent)) return (parent.arguments?.length ?? 0) > 0
  return ts.isPropertyAccessExpression(parent) && ['UTC', 'parse', 'prototype'].includes(parent.name.text)
}

function isPureMath(node: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name.text !== 'random'
}

const declaredNames = new WeakMap<ts.SourceFile, ReadonlySet<string>>()

/** Own names of the file, such as a parameter called `process`. The compiler's pure settings catch what hides behind them. */
function namesDeclaredIn(tree: ts.SourceFile): ReadonlySet<string> {
  const known = declaredNames.get(tree)
  if (known !== undefined) return known
  const names = new Set([...nodesOf(tree)].flatMap(nameDeclaredBy))
  declaredNames.set(tree, names)
  return names
}

function nameDeclaredBy(node: ts.Node): readonly string[] {
  const declares =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isImportSpecifier(node)
  return declares && node.name !== undefined && ts.isIdentifier(node.name) ? [node.name.text] : []
}

const mayNotAppend = (path: string) => isSource(path) && !appendingRooms.includes(roomOf(path) ?? '')

/**
 * Any use of a member `append` counts, also by destructuring: a store cannot be told from other things here. What is only
 * compared appends nothing.
 */
export const append = nodeGate('append', mayNotAppend, (node) => {
  const takes =
    (ts.isPropertyAccessExpression(node) && node.name.text === 'append' && !isCompared(node)) ||
    (ts.isElementAccessExpression(node) && isLiteralAppend(node.argumentExpression)) ||
    (ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'append')
  return takes ? 'only run/ appends events (I1)' : undefined
})

function isCompared({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken
}

function isLiteralAppend(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) && node.text === 'append'
}
