/** The facts of a JavaScript or TypeScript file, by its syntax tree. */
import type { AssertionFacts, FileFacts, SkipKind, TestFacts } from '../facts.ts'
import { assertionsAt, assertionsDemandedBy } from './assertions.ts'
import { chainOf } from './chain.ts'
import { declarationOf, isNamedFunction, wrappersIn, type Declaration, type Wrappers } from './declaration.ts'
import { constantOf, namesIn, type Names } from './names.ts'
import { bodyTextOf, sourceTextOf } from './source-text.ts'
import {
  asCall,
  childrenOf,
  lineOf,
  nodesOf,
  parseJavaScript,
  type AnyCall,
  type SyntaxNode,
} from '../../source/index.ts'
import { worstSkip } from './words.ts'

interface Around {
  readonly path: readonly string[]
  readonly skip: SkipKind
  readonly isFocused: boolean
  /** Whether it is reached depends on a condition. */
  readonly isConditional: boolean
  /** Where the assertions of the test or function that is being read go; null: it stands in neither. */
  readonly own: { assertions: AssertionFacts[]; skip: SkipKind } | null
}

type Choice = Extract<SyntaxNode, { type: 'IfStatement' | 'ConditionalExpression' }>

interface Reading {
  readonly names: Names
  readonly wrappers: Wrappers
  readonly tests: TestFacts[]
}

const outermost: Around = { path: [], skip: 'none', isFocused: false, isConditional: false, own: null }

/** Throws what the parser throws. */
export function readJavaScriptFacts(path: string, text: string): FileFacts {
  const plain = text.replaceAll('\r\n', '\n')
  const tree = parseJavaScript(path, plain)
  const names = namesIn(nodesOf(tree), sourceTextOf(tree, plain))
  const reading: Reading = { names, wrappers: wrappersIn(names), tests: [] }
  readAll(tree.program.body, outermost, reading)
  const functions = [...names.functions].map(([name, helper]) => {
    const own: NonNullable<Around['own']> = { assertions: [], skip: 'none' }
    const scratch: Reading = { ...reading, tests: [] }
    readNode(helper.body, { ...outermost, own }, scratch)
    return { name, line: lineOf(helper), body: bodyTextOf(helper, names.source), assertions: own.assertions }
  })
  return { tests: reading.tests, functions }
}

/** Statements up to the one behind which nothing is reached. */
function readAll(statements: readonly SyntaxNode[], around: Around, reading: Reading): void {
  for (const statement of statements) {
    readNode(statement, around, reading)
    if (/^(?:Return|Throw)Statement$/u.test(statement.type) || endsProcess(statement, reading.names)) return
  }
}

function endsProcess(node: SyntaxNode, names: Names): boolean {
  const call = node.type === 'ExpressionStatement' ? asCall(node.expression) : undefined
  if (call === undefined) return false
  const { root, links } = chainOf(call, names)
  const isProcess = root.type === 'Identifier' && /^(?:process|Deno)$/u.test(root.name)
  return isProcess && links.length === 1 && links[0]?.name === 'exit'
}

function readNode(node: SyntaxNode, around: Around, reading: Reading): void {
  const call = asCall(node)
  const declaration = call && declarationOf(call, reading.names, reading.wrappers)
  if (call !== undefined && declaration !== undefined) declare(call, declaration, around, reading)
  else if (node.type === 'BlockStatement') readAll(node.body, around, reading)
  else if (node.type === 'IfStatement' || node.type === 'ConditionalExpression')
    readChoice(node, around, reading)
  else if (node.type === 'LogicalExpression') {
    readNode(node.left, around, reading)
    readNode(node.right, { ...around, isConditional: true }, reading)
  } else if (/^(?:Optional)?(?:Call|Member)Expression$/u.test(node.type)) readChain(node, around, reading)
  else if (!isReadElsewhere(node, around, reading))
    for (const child of childrenOf(node)) readNode(child, around, reading)
}

/** A function with a name is read by itself, and what an empty handler takes does not fail. */
function isReadElsewhere(node: SyntaxNode, { own }: Around, { wrappers }: Reading): boolean {
  if (node.type === 'TryStatement') return own !== null && node.handler?.body.body.length === 0
  if (!isNamedFunction(node)) return false
  // The test of a wrapper is declared where it is called.
  const name = 'id' in node && node.id?.type === 'Identifier' ? node.id.name : ''
  return own !== null || wrappers.has(name)
}

function readChoice(node: Choice, around: Around, reading: Reading): void {
  const { test, consequent, alternate } = node
  const truth = constantOf(test, reading.names)
  const within = truth === undefined ? { ...around, isConditional: true } : around
  if (truth === undefined && around.own !== null && onlyFails(consequent))
    around.own.assertions.push(...assertionsDemandedBy(test, true, reading.names))
  readNode(test, around, reading)
  if (truth !== false) readNode(consequent, within, reading)
  if (truth !== true && alternate) readNode(alternate, within, reading)
}

/** `throw …` as all that a branch does. */
function onlyFails(branch: SyntaxNode): boolean {
  const statements: readonly SyntaxNode[] = branch.type === 'BlockStatement' ? branch.body : [branch]
  return statements.length === 1 && statements.every(({ type }) => type === 'ThrowStatement')
}

/** A chain is one thing: its inner calls would say the same again. */
function readChain(node: SyntaxNode, around: Around, reading: Reading): void {
  const { own } = around
  const { root, links } = chainOf(node, reading.names)
  if (own !== null) {
    own.assertions.push(...assertionsAt(node, reading.names))
    const call = asCall(node)
    if (call !== undefined) own.skip = worstSkip([own.skip, skipIn(call, around, reading.names)])
  }
  // `it('…', …).timeout(5000)`
  const declared = links.find(({ node: inner }) => {
    const call = inner === node ? undefined : asCall(inner)
    return call !== undefined && declarationOf(call, reading.names, reading.wrappers) !== undefined
  })
  if (declared !== undefined) readNode(declared.node, around, reading)
  else if (root !== node) readNode(root, around, reading)
  for (const { args, node: inner } of links)
    if (declared === undefined || (inner.end ?? 0) > (declared.node.end ?? 0))
      for (const argument of args ?? []) readNode(argument, around, reading)
}

/** `t.skip()`, `this.skip()`, `test.skip(isSlow, 'why')`, `test.fail()`, `pending()` within a test. */
function skipIn(call: AnyCall, { isConditional }: Around, names: Names): SkipKind {
  const [, word = ''] = /^(?:(?:this|t|ctx|context|test|it)\.)?(skip|todo|fixme|pending)$|^test\.fail$/u.exec(
    names.source.of(call.callee),
  ) ?? [null, null]
  if (word === null) return 'none'
  const skip = word === '' ? 'expected-to-fail' : 'always'
  const [condition] = call.arguments
  const truth = constantOf(condition, names)
  const isSure = condition === undefined || typeof truth === 'string' || condition.type === 'TemplateLiteral'
  if (!isSure && truth !== undefined) return truth ? skip : 'none'
  return isSure && !isConditional ? skip : 'conditional'
}

function declare(call: AnyCall, declaration: Declaration, around: Around, reading: Reading): void {
  const { kind, title, body, rows } = declaration
  const path = kind === 'hook' ? around.path : [...around.path, title]
  const marks = {
    skip: worstSkip([declaration.skip, around.skip, around.isConditional ? 'conditional' : 'none']),
    isFocused: declaration.isFocused || around.isFocused,
  }
  const own: Around['own'] = kind === 'suite' ? null : { assertions: [], skip: 'none' }
  if (body !== undefined) readNode(body.body, { path, ...marks, isConditional: false, own }, reading)
  if (kind !== 'test') return
  reading.tests.push({
    name: path.join(' > '),
    line: lineOf(call),
    isFocused: marks.isFocused,
    skip: worstSkip([marks.skip, own?.skip ?? 'none']),
    assertions: own?.assertions ?? [],
    body: body === undefined ? '' : bodyTextOf(body, reading.names.source),
    cases: rows?.length ?? null,
    ...(rows ? { rows } : {}),
  })
}
