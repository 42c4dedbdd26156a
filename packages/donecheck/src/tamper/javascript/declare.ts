/** Turns declarations into facts of tests. */
import type { SkipKind } from '../facts.ts'
import { declarationOf, type Declaration } from './declaration.ts'
import type { DeclaratorContext } from './declarator.ts'
import { bodyTextOf } from './source-text.ts'
import { earlyEndOf, newSink, straight, type Flow, type Reader, type Sink } from './sink.ts'
import { lineOf, type AnyCall, type FunctionNode } from './syntax.ts'
import type { Rows } from './table.ts'
import { marksTogether, worseSkip, type Marks } from './words.ts'

function marksOf(declaration: Declaration, sink: Sink, flow: Flow): Marks {
  const marks = marksTogether(declaration.declarator, sink.inherited)
  return flow.isConditional ? { ...marks, skip: worseSkip(marks.skip, 'conditional') } : marks
}

/** Rows of all tables together: each test runs once for each combination. */
function tablesOf(
  declaration: Declaration,
  flow: Flow,
): { readonly cases: number | null; readonly rows?: readonly string[] } {
  const tables: Rows[] = [...flow.loops]
  if (declaration.declarator.rows !== undefined) tables.push(declaration.declarator.rows)
  if (tables.length === 0) return { cases: null }
  const known = tables.filter((rows) => rows !== null)
  const rows = known.flat()
  const cases =
    known.length === tables.length ? known.reduce((product, { length }) => product * length, 1) : null
  return known.length === 0 ? { cases } : { cases, rows }
}

function bodyText(declaration: Declaration, context: DeclaratorContext): string {
  const { body, call } = declaration
  const { source } = context
  if (body === undefined) {
    const [, ...rest] = call.arguments
    return declaration.isBodyElsewhere ? rest.map((argument) => source.of(argument)).join(',') : ''
  }
  return bodyTextOf(body, source)
}

function isEmpty({ body }: FunctionNode): boolean {
  if (body.type !== 'BlockStatement') return false
  return body.body.every((statement) => statement.type === 'ReturnStatement' && !statement.argument)
}

function walkBody(body: FunctionNode, sink: Sink, flow: Flow, reader: Reader): void {
  if (reader.entered.has(body)) return
  reader.entered.add(body)
  reader.walk(body.body, sink, flow)
  reader.entered.delete(body)
}

/** The parameter with which a runner hands its methods to a test. */
function noteContext(body: FunctionNode, reader: Reader): Reader {
  const [first] = body.params
  if (first?.type !== 'Identifier') return reader
  const testContexts = new Set([...reader.context.testContexts, first.name])
  const context = { ...reader.context, testContexts }
  return { ...reader, context, walk: (node, sink, flow) => reader.walkIn(context, node, sink, flow) }
}

function skipOf(declaration: Declaration, marks: Marks, own: Sink): SkipKind {
  const isPending = declaration.body === undefined && !declaration.isBodyElsewhere
  return worseSkip(worseSkip(marks.skip, own.skip), isPending ? 'always' : 'none')
}

function declareTest(declaration: Declaration, sink: Sink, flow: Flow, reader: Reader): void {
  const { body, declarator, line } = declaration
  const marks = marksOf(declaration, sink, flow)
  const own = newSink('test', [...sink.path, declaration.title], marks)
  if (body !== undefined) {
    const isTable = declarator.rows !== undefined
    walkBody(body, own, straight, isTable ? reader : noteContext(body, reader))
  }
  reader.report.tests.push({
    name: own.path.join(' > '),
    line,
    skip: skipOf(declaration, marks, own),
    isFocused: marks.isFocused,
    endsEarlyAt: body && isEmpty(body) ? lineOf(body) : earlyEndOf(own),
    swallowsAt: own.swallowsAt ?? declarator.swallowsAt ?? null,
    assertions: own.assertions,
    timeoutMs: own.timeoutMs ?? declaration.timeoutMs ?? sink.timeoutMs,
    retries: own.retries ?? declaration.retries ?? sink.retries,
    body: bodyText(declaration, reader.context),
    ...tablesOf(declaration, flow),
  })
}

function declareSuite(declaration: Declaration, sink: Sink, flow: Flow, reader: Reader): void {
  const { rows } = declaration.declarator
  const own = newSink('suite', [...sink.path, declaration.title], marksOf(declaration, sink, flow))
  own.timeoutMs = declaration.timeoutMs ?? sink.timeoutMs
  own.retries = declaration.retries ?? sink.retries
  const loops = rows === undefined ? flow.loops : [...flow.loops, rows]
  if (declaration.body !== undefined) walkBody(declaration.body, own, { ...straight, loops }, reader)
  reader.report.helperAssertions.push(...own.assertions)
}

function declareHook(declaration: Declaration, sink: Sink, reader: Reader): void {
  const own = newSink('hook', sink.path)
  if (declaration.body !== undefined)
    walkBody(declaration.body, own, straight, noteContext(declaration.body, reader))
  reader.report.helperAssertions.push(...own.assertions)
  if (own.skip !== 'none')
    reader.report.fileSkips.push({ line: declaration.line, text: reader.context.source.of(declaration.call) })
}

/** True where the call declared something. */
export function declareFrom(call: AnyCall, sink: Sink, flow: Flow, reader: Reader): boolean {
  const declaration = declarationOf(call, reader.context)
  if (declaration === undefined) return false
  if (declaration.declarator.kind !== 'suite')
    reader.testSpans.push({ start: call.start ?? 0, end: call.end ?? 0 })
  switch (declaration.declarator.kind) {
    case 'test':
      declareTest(declaration, sink, flow, reader)
      break
    case 'suite':
      declareSuite(declaration, sink, flow, reader)
      break
    case 'hook':
      declareHook(declaration, sink, reader)
      break
  }
  return true
}
