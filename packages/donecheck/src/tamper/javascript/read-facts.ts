/** The facts of a JavaScript or TypeScript file, by its syntax tree. */
import type { FileFacts, PlacedText, ReadFacts } from '../facts.ts'
import { readBindings } from './bindings.ts'
import { declaratorNamed, type DeclaratorContext } from './declarator.ts'
import { limitsAt } from './limits.ts'
import { mockAt } from './mocks.ts'
import { overrideAt } from './overrides.ts'
import { exitAt } from './process-exit.ts'
import { newSink, straight, type Reader, type Report } from './sink.ts'
import { bodyTextOf, sourceTextOf } from './source-text.ts'
import { looseCastAt } from './loose-casts.ts'
import { suppressionsOf } from './suppressions.ts'
import {
  lineOf,
  nodesOf,
  parseJavaScript,
  type FunctionNode,
  type SyntaxNode,
  type SyntaxTree,
} from './syntax.ts'
import { assertsByName, newReader } from './walk.ts'

/** Longer texts are not read: no test that people write is that long. Characters. */
const maxLength = 2 ** 20

function emptyReport(): Report {
  return { tests: [], helperAssertions: [], fileSkips: [], limits: [] }
}

/** Named functions that do not stand within a test. */
function helpersOf({ context, testSpans }: Reader): (readonly [string, FunctionNode])[] {
  return [...context.bindings.functions].filter(([, helper]) => {
    const start = helper.start ?? 0
    return !testSpans.some((span) => span.start < start && start < span.end)
  })
}

/**
 * Assertions of the functions beside the tests, and the tests that an exported function declares for other files.
 * What nothing calls asserts nothing.
 */
function readHelpers(reader: Reader): void {
  const { context, report } = reader
  const scratch = newReader(context, emptyReport())
  for (const [name, helper] of helpersOf(reader)) {
    if (!context.bindings.isUsed(name)) continue
    // Tests of a function that is called here have been read where it is called.
    const isRead = reader.called.has(helper) || declaratorNamed(name, context) !== undefined
    const own = newSink('suite', [], undefined, assertsByName(name))
    const walker = isRead ? scratch : reader
    walker.walk(helper.body, own, { ...straight, isNested: true })
    report.helperAssertions.push(...own.assertions)
  }
}

function placed(
  nodes: readonly SyntaxNode[],
  context: DeclaratorContext,
  find: (node: SyntaxNode, context: DeclaratorContext) => PlacedText | undefined,
): PlacedText[] {
  // The inner calls of a chain begin where it begins, and say the same again.
  const found = new Map<number, PlacedText>()
  for (const node of nodes) {
    const here = find(node, context)
    const start = node.start ?? 0
    if (here !== undefined && !found.has(start)) found.set(start, here)
  }
  return [...found.values()]
}

function factsOf(tree: SyntaxTree, text: string): FileFacts {
  const nodes = nodesOf(tree)
  const bindings = readBindings(nodes)
  const context: DeclaratorContext = { bindings, source: sourceTextOf(tree, text), testContexts: new Set() }
  const report = emptyReport()
  const reader = newReader(context, report)
  const file = newSink('file')
  for (const statement of tree.program.body) if (reader.walk(statement, file, straight)) break
  readHelpers(reader)
  return {
    tests: report.tests,
    functions: helpersOf(reader).map(([name, helper]) => ({
      name,
      line: lineOf(helper),
      body: bodyTextOf(helper, context.source),
    })),
    helperAssertions: [...report.helperAssertions, ...file.assertions],
    exits: placed(nodes, context, exitAt),
    fileSkips: report.fileSkips,
    mocks: placed(nodes, context, mockAt),
    overrides: placed(nodes, context, overrideAt),
    limits: [...report.limits, ...nodes.flatMap((node) => limitsAt(node, context))],
    suppressions: [...suppressionsOf(tree), ...nodes.flatMap((node) => looseCastAt(node) ?? [])],
  }
}

/**
 * What stands in a file of tests, or of any other code. Never throws: what the parser does not understand, what nests
 * too deep and what is too long is `unreadable`.
 */
export function readJavaScriptFacts(path: string, text: string): ReadFacts {
  if (text.length > maxLength)
    return { kind: 'unreadable', problem: `it is longer than ${maxLength} characters` }
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  try {
    return { kind: 'facts', facts: factsOf(parseJavaScript(path, plain), plain) }
  } catch (problem) {
    return { kind: 'unreadable', problem: problem instanceof Error ? problem.message : String(problem) }
  }
}
