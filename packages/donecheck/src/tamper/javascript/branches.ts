/** Control flow: which statements are reached, and which only sometimes. */
import { demandsOf } from './condition.ts'
import { truthOf } from './constant.ts'
import { holdsAssertion } from './reachable.ts'
import { addAssertions, branchOf, type Flow, type Reader, type Sink } from './sink.ts'
import { lineOf, type SyntaxNode } from './syntax.ts'
import { rowsOfArray } from './table.ts'

/** Notes a `return` or an exit of the process. */
export function noteEnd(node: SyntaxNode, sink: Sink, flow: Flow): void {
  if (flow.isNested || !flow.isConditional) return
  sink.earlyEnds.push({
    line: lineOf(node),
    at: sink.assertions.length,
    branchStart: flow.branchStart,
    isDefinite: false,
  })
}

/** True where the flow does not go on behind the last statement. */
export function walkStatements(
  statements: readonly SyntaxNode[],
  sink: Sink,
  flow: Flow,
  reader: Reader,
): boolean {
  for (const [index, statement] of statements.entries()) {
    if (!reader.walk(statement, sink, flow)) continue
    const lost = statements.slice(index + 1).some((rest) => holdsAssertion(rest, reader.context))
    const fails = statement.type === 'ThrowStatement'
    if (lost && !fails && !flow.isNested)
      sink.earlyEnds.push({ line: lineOf(statement), at: 0, branchStart: 0, isDefinite: true })
    return true
  }
  return false
}

/** Walks a branch; true where all that it does is to fail. */
function onlyFails(
  branch: SyntaxNode,
  sink: Sink,
  flow: Flow,
  reader: Reader,
): { ends: boolean; fails: boolean } {
  const { failures } = sink
  const count = sink.assertions.length
  const ends = reader.walk(branch, sink, branchOf(flow, sink))
  return { ends, fails: sink.failures > failures && sink.assertions.length === count }
}

/** `if`, `?:`, and `&&`, `||` (whose other branch is empty). */
export function walkChoice(
  test: SyntaxNode,
  consequent: SyntaxNode | null | undefined,
  alternate: SyntaxNode | null | undefined,
  sink: Sink,
  flow: Flow,
  reader: Reader,
): boolean {
  reader.walk(test, sink, flow)
  const truth = truthOf(test, reader.context)
  if (truth !== undefined) {
    const taken = truth ? consequent : alternate
    return taken ? reader.walk(taken, sink, flow) : false
  }
  const yes = consequent ? onlyFails(consequent, sink, flow, reader) : undefined
  if (yes?.fails && sink.countsGuards) addAssertions(demandsOf(test, false, reader.context), sink, flow)
  const no = alternate ? onlyFails(alternate, sink, flow, reader) : undefined
  if (no?.fails && sink.countsGuards) addAssertions(demandsOf(test, true, reader.context), sink, flow)
  return Boolean(yes?.ends) && Boolean(no?.ends)
}

/** Loops: `body` may be left out where its table is empty or its condition never holds. */
export function walkLoop(node: SyntaxNode, sink: Sink, flow: Flow, reader: Reader): boolean {
  const branch = { ...flow, branchStart: sink.assertions.length }
  switch (node.type) {
    case 'ForOfStatement': {
      reader.walk(node.right, sink, flow)
      const rows = rowsOfArray(node.right, reader.context)
      if (rows?.length !== 0) reader.walk(node.body, sink, { ...branch, loops: [...flow.loops, rows] })
      return false
    }
    case 'ForInStatement':
      reader.walk(node.right, sink, flow)
      reader.walk(node.body, sink, { ...branch, loops: [...flow.loops, null] })
      return false
    case 'ForStatement':
    case 'WhileStatement': {
      if (node.type === 'ForStatement' && node.init) reader.walk(node.init, sink, flow)
      const isNever = node.test ? truthOf(node.test, reader.context) === false : false
      if (!isNever) reader.walk(node.body, sink, { ...branch, loops: [...flow.loops, null] })
      return false
    }
    case 'DoWhileStatement':
      return reader.walk(node.body, sink, flow)
    default:
      return false
  }
}
