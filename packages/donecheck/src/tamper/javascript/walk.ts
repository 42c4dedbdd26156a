/** Reads a body along its control flow. Each kind of statement that matters has its own file. */
import { readAssertion } from './assertion.ts'
import { noteEnd, walkChoice, walkLoop, walkStatements } from './branches.ts'
import { chainOf, type Chain } from './chain.ts'
import { declareFrom } from './declare.ts'
import { declaresTests } from './declaring-function.ts'
import type { DeclaratorContext } from './declarator.ts'
import { markerOf } from './marker.ts'
import { endsProcess } from './process-exit.ts'
import {
  addAssertions,
  addSkip,
  branchOf,
  earlyEndOf,
  newSink,
  straight,
  type Flow,
  type Reader,
  type Report,
  type Sink,
} from './sink.ts'
import { noteLostRejection, walkTry } from './swallow.ts'
import {
  asCall,
  bare,
  childrenOf,
  isFunction,
  lineOf,
  type AnyCall,
  type FunctionNode,
  type SyntaxNode,
} from './syntax.ts'
import { rowsOfArray } from './table.ts'

/** Assertions that one call of a helper may add: a bound, so that helpers that call helpers cannot explode. */
const maxInlined = 500

/** Calls of functions that declare tests, in one file: more are not followed, and the file is called unreadable. */
const maxSharedCalls = 2_000

const guardingName = /^(assert|expect|verify|check|ensure|should|must|require|fail)/i

/** Whether a function of this name is there to fail: a `throw` behind a condition is then an assertion. */
export function assertsByName(name: string): boolean {
  return guardingName.test(name)
}

/** What a helper asserts, as if it stood where it is called. */
function helperSink(name: string, helper: FunctionNode, reader: Reader): Sink {
  const own = newSink('helper', [], undefined, assertsByName(name))
  if (reader.entered.has(helper)) return own
  const known = reader.helpers.get(helper)
  if (known !== undefined) return known
  reader.helpers.set(helper, own)
  reader.entered.add(helper)
  reader.walk(helper.body, own, straight)
  reader.entered.delete(helper)
  return own
}

/** A function of the file is called, or handed on to be called. */
function inline(name: string, sink: Sink, flow: Flow, reader: Reader): void {
  const helper = reader.context.bindings.functions.get(name)
  if (helper === undefined) return
  if (sink.kind === 'file' || sink.kind === 'suite') {
    // Its tests belong to the suite that calls it; its assertions are read with the helpers.
    if (reader.entered.has(helper) || !declaresTests(helper, reader)) return
    reader.entered.add(helper)
    const calls = (reader.called.get(helper) ?? 0) + 1
    if (calls > maxSharedCalls) throw new RangeError(`${name} is called too often to be followed`)
    reader.called.set(helper, calls)
    const passing = newSink(sink.kind, sink.path, sink.inherited, false)
    reader.walk(helper.body, passing, { ...flow, isNested: true })
    reader.entered.delete(helper)
    return
  }
  const own = helperSink(name, helper, reader)
  addAssertions(own.assertions.slice(0, maxInlined), sink, flow)
  sink.swallowsAt ??= own.swallowsAt
  sink.skip = own.skip === 'none' ? sink.skip : own.skip
  const early = earlyEndOf(own)
  if (early !== null) sink.earlyEnds.push({ line: early, at: 0, branchStart: 0, isDefinite: true })
}

/** Of `rows.forEach(row => …)`: an empty table runs nothing. */
function callbackFlow(call: AnyCall, chain: Chain, flow: Flow, reader: Reader): Flow | undefined {
  const last = chain.links.at(-1)
  if (last?.name === undefined || !/^(forEach|map|flatMap|some|every)$/.test(last.name)) return flow
  const callee = bare(call.callee)
  const rows = 'object' in callee ? rowsOfArray(callee.object, reader.context) : null
  return rows?.length === 0 ? undefined : { ...flow, loops: [...flow.loops, rows] }
}

function walkChain(node: SyntaxNode, sink: Sink, flow: Flow, reader: Reader): boolean {
  const chain = chainOf(node, reader.context)
  const before = sink.assertions.length
  const reading = readAssertion(node, reader.context)
  if (reading?.kind === 'assertions') addAssertions(reading.assertions, sink, flow)
  if (reading?.kind === 'failure') sink.failures += 1
  const call = asCall(node)
  const inCallbacks = call ? callbackFlow(call, chain, { ...flow, isNested: true }, reader) : flow
  if (isFunction(chain.root)) reader.walk(chain.root.body, sink, { ...flow, isNested: true })
  else reader.walk(chain.root, sink, flow)
  for (const link of chain.links) {
    for (const argument of link.args ?? []) {
      if (!isFunction(argument)) reader.walk(argument, sink, flow)
      else if (inCallbacks !== undefined) {
        const isHandler = link.name === 'catch'
        const within = isHandler ? branchOf(inCallbacks, sink) : inCallbacks
        reader.walk(argument.body, sink, within)
      }
    }
    if (sink.assertions.length === before) continue
    if (link.name === 'catch') noteLostRejection(link.args?.[0], sink, reader)
    if (link.name === 'then') noteLostRejection(link.args?.[1], sink, reader)
    if (link.name === 'allSettled') sink.swallowsAt ??= lineOf(link.node)
  }
  return reading?.kind === 'failure'
}

function walkCall(call: AnyCall, sink: Sink, flow: Flow, reader: Reader): boolean {
  if (declareFrom(call, sink, flow, reader)) return false
  const marker = markerOf(call, reader.context)
  if (marker?.kind === 'skip') {
    addSkip(marker.skip, sink, flow)
    if ((sink.kind === 'file' || sink.kind === 'suite') && marker.skip !== 'none')
      reader.report.fileSkips.push({ line: lineOf(call), text: reader.context.source.of(call) })
    return false
  }
  if (marker?.kind === 'limit') {
    if (marker.isWhole || sink.kind !== 'test')
      reader.report.limits.push({ name: marker.name, value: marker.value, line: lineOf(call) })
    else sink[marker.name] = marker.value
    return false
  }
  if (!endsProcess(call, reader.context)) return walkChain(call, sink, flow, reader)
  noteEnd(call, sink, flow)
  return true
}

function walkThrow(argument: SyntaxNode, sink: Sink, flow: Flow, reader: Reader): boolean {
  reader.walk(argument, sink, flow)
  sink.failures += 1
  // Runners skip a test that throws their own word for it.
  if (/^new \w*(Skip|Pending)/i.test(reader.context.source.of(argument))) addSkip('always', sink, flow)
  return true
}

function walkAll(nodes: readonly SyntaxNode[], sink: Sink, flow: Flow, reader: Reader): false {
  for (const node of nodes) reader.walk(node, sink, flow)
  return false
}

function walkExpression(node: SyntaxNode, sink: Sink, flow: Flow, reader: Reader): boolean {
  switch (node.type) {
    case 'Identifier':
      inline(node.name, sink, flow, reader)
      return false
    case 'CallExpression':
    case 'OptionalCallExpression':
      return walkCall(node, sink, flow, reader)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return walkChain(node, sink, flow, reader)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      reader.walk(node.body, sink, { ...flow, isNested: true })
      return false
    case 'ConditionalExpression':
      return walkChoice(node.test, node.consequent, node.alternate, sink, flow, reader)
    case 'LogicalExpression':
      return node.operator === '||'
        ? walkChoice(node.left, undefined, node.right, sink, flow, reader)
        : walkChoice(node.left, node.right, undefined, sink, flow, reader)
    case 'ObjectProperty':
      return walkAll([node.value], sink, flow, reader)
    case 'AssignmentExpression':
      return walkAll([node.right], sink, flow, reader)
    default:
      return walkAll(childrenOf(node), sink, flow, reader)
  }
}

function walkNode(node: SyntaxNode, sink: Sink, flow: Flow, reader: Reader): boolean {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return walkStatements(node.body, sink, flow, reader)
    case 'ExpressionStatement': {
      const expression = bare(node.expression)
      // A name alone does nothing.
      return expression.type === 'Identifier' ? false : reader.walk(expression, sink, flow)
    }
    case 'AwaitExpression':
      return reader.walk(node.argument, sink, flow)
    case 'ReturnStatement':
      if (node.argument) reader.walk(node.argument, sink, flow)
      noteEnd(node, sink, flow)
      return true
    case 'ThrowStatement':
      return walkThrow(node.argument, sink, flow, reader)
    case 'IfStatement':
      return walkChoice(node.test, node.consequent, node.alternate, sink, flow, reader)
    case 'SwitchStatement':
      reader.walk(node.discriminant, sink, flow)
      for (const { consequent } of node.cases) walkStatements(consequent, sink, branchOf(flow, sink), reader)
      return false
    case 'TryStatement':
      return walkTry(node, sink, flow, reader)
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return walkLoop(node, sink, flow, reader)
    case 'VariableDeclarator':
      // A function with a name counts where it is called.
      return node.init && !isFunction(bare(node.init)) ? reader.walk(node.init, sink, flow) : false
    case 'FunctionDeclaration':
      return false
    case 'ExportDefaultDeclaration':
      if (isFunction(node.declaration)) reader.walk(node.declaration.body, sink, { ...flow, isNested: true })
      else reader.walk(node.declaration, sink, flow)
      return false
    default:
      return walkExpression(bare(node), sink, flow, reader)
  }
}

/** A reader whose `walk` fills `report`. */
export function newReader(context: DeclaratorContext, report: Report): Reader {
  const walkIn: Reader['walkIn'] = (inner, node, sink, flow) =>
    walkNode(node, sink, flow, { ...reader, context: inner, walk: (...rest) => walkIn(inner, ...rest) })
  const reader: Reader = {
    context,
    report,
    entered: new Set(),
    called: new Map(),
    declaring: new Map(),
    helpers: new Map(),
    testSpans: [],
    walkIn,
    walk: (...rest) => walkIn(context, ...rest),
  }
  return reader
}
