/** How long files and functions are. */
import ts from 'typescript'
import { isCode, lineOf, nodesOf, pathsOf, type Gate } from './project.ts'

export const maxFileLines = 400
export const maxFunctionLines = 60

export const fileSize: Gate<'file-size'> = {
  name: 'file-size',
  find: (project) =>
    pathsOf(project, isCode).flatMap((where) => {
      const lines = linesIn(project.files.get(where) ?? '')
      return lines > maxFileLines ? [{ where, message: `${lines} lines, ${maxFileLines} are allowed` }] : []
    }),
}

export const functionSize: Gate<'function-size'> = {
  name: 'function-size',
  find: (project) =>
    pathsOf(project, isCode).flatMap((path) =>
      functionsOf(project.treeOf(path))
        .filter(({ lines }) => lines > maxFunctionLines)
        .map(({ name, line, lines }) => ({
          where: `${path}#${name}`,
          line,
          message: `${lines} lines, ${maxFunctionLines} are allowed`,
        })),
    ),
}

/** A last line without a line end counts. */
export function linesIn(text: string): number {
  const lines = text.split('\n').length
  return text === '' || text.endsWith('\n') ? lines - 1 : lines
}

export interface FunctionSize {
  readonly name: string
  readonly line: number
  readonly lines: number
}

/**
 * Every function with a body, nested ones too. A `describe` callback is a chapter and not a function: it is left out, and
 * its lines and those of single tests are not counted against the function around them (a contract suite). A test is
 * a function like any other.
 */
export function functionsOf(tree: ts.SourceFile): readonly FunctionSize[] {
  return [...nodesOf(tree)]
    .filter(hasBody)
    .filter((node) => wordOf(node) !== 'describe')
    .map((node) => ({ name: nameOf(node), line: lineOf(node), lines: spanOf(node) - linesOfTestsIn(node) }))
}

type FunctionNode = ts.FunctionLikeDeclaration | ts.ClassStaticBlockDeclaration

function hasBody(node: ts.Node): node is FunctionNode {
  if (ts.isClassStaticBlockDeclaration(node)) return true
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function spanOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.end).line + 2 - lineOf(node)
}

function linesOfTestsIn(node: ts.Node): number {
  let lines = 0
  node.forEachChild((child) => {
    lines += hasBody(child) && wordOf(child) !== undefined ? spanOf(child) : linesOfTestsIn(child)
  })
  return lines
}

/** What a callback is given to, where that is a word of the test runner: `describe.each([])('…', callback)` → `describe`. */
function wordOf(node: ts.Node): 'describe' | 'test' | undefined {
  if (!ts.isCallExpression(node.parent) || node.parent.expression === node) return undefined
  const root = rootOf(node.parent.expression)
  if (root === 'describe') return 'describe'
  return root === 'it' || root === 'test' ? 'test' : undefined
}

function rootOf(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text
  if (ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression))
    return rootOf(expression.expression)
  return ts.isTaggedTemplateExpression(expression) ? rootOf(expression.tag) : undefined
}

function nameOf(node: FunctionNode): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  if (!ts.isClassStaticBlockDeclaration(node) && node.name !== undefined) return node.name.getText()
  const { parent } = node
  const isNamed =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
  return isNamed ? parent.name.getText() : 'anonymous'
}
