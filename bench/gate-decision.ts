import { matchPrefixRules, policyGate, policyOf, readRules, type PolicyRule } from '@donecheck/engine/gate'
import type { GateRequest } from '@donecheck/engine/internal/ports/gate'
import { decompose } from '@donecheck/engine/internal/analysis/shell'
import { parse } from 'unbash'
import { commandLines } from './gate-commands.ts'
import { microsecondsOf, quantile, type BenchOptions } from './gate-figures.ts'
import { ruleCount, ruleFile } from './gate-rules.ts'
import { median, rounded, timed, type Table } from './table.ts'

/** Nothing is run in it, and nothing is looked for but the files that a line would write. */
const folder = '/code/project'
const unknown = '\0'

/** Asking the gate for each of the usual command lines, part by part. */
export async function gateDecisionTable({ full }: BenchOptions): Promise<Table> {
  const rules = benchRules()
  const policy = policyOf(rules)
  const gate = benchGate(rules)
  const measured = await microsecondsOf<string>(
    {
      'unbash: parse alone': (line) => parse(line),
      decompose: (line) => decompose(line),
      [`decompose and match ${rules.length} rules`]: (line) => {
        for (const { words } of decompose(line).commands)
          matchPrefixRules(
            policy,
            words.map(({ text }) => text ?? unknown),
            { lookAlikes: true, folder },
          )
      },
      'the whole decision (policyGate.check)': (line) => gate.check(requestOf(line)),
    },
    commandLines,
    full ? 1_000 : 200,
  )
  return {
    title: `decision per command: ${commandLines.length} command lines, ${rules.length} rules, the built-in rules, the paths that are written to`,
    rows: Object.entries(measured).map(([name, times]) => ({
      name,
      'median µs': rounded(median(times), 1),
      'p95 µs': rounded(quantile(times, 0.95), 1),
      'slowest line µs': rounded(Math.max(...times), 1),
      aim: name.includes('policyGate') ? 'median < 100' : '',
    })),
  }
}

/** What is paid once, before anything is warm; it must be measured before all others. */
export async function gateFirstTable(): Promise<Table> {
  const startedMs = performance.now()
  const rules = benchRules()
  const readMs = performance.now() - startedMs
  const gate = benchGate(rules)
  const line = 'cd packages/api && npm ci && npm test 2>&1 | tee test.log'
  const firstMs = await timed(() => gate.check(requestOf(line)))
  const secondMs = await timed(() => gate.check(requestOf(line)))
  return {
    title: 'the gate in a new process: once each, nothing is warm',
    rows: [
      { name: `reading a file of ${rules.length} rules`, ms: rounded(readMs, 1) },
      { name: 'the first decision', ms: rounded(firstMs, 1) },
      { name: 'the second decision', ms: rounded(secondMs, 2) },
    ],
  }
}

/** @throws {Error} where the file is not understood */
export function benchRules(): readonly PolicyRule[] {
  const read = readRules(ruleFile(), { file: 'bench.rules', layer: 'user' })
  if (read.kind === 'invalid') throw new Error(`${read.file}:${read.line}: ${read.problem}`)
  if (read.rules.length !== ruleCount) throw new Error(`${read.rules.length} rules were read`)
  return read.rules
}

export function benchGate(rules: readonly PolicyRule[]) {
  return policyGate({
    workFolder: folder,
    homeFolder: '/home/person',
    rules,
    approval: 'on-request',
    sandbox: { isConfined: true },
  })
}

export function requestOf(script: string): GateRequest {
  return {
    tool: 'run_shell',
    effect: 'execute',
    args: { command: script },
    summary: script,
    action: { kind: 'command', script, folder },
  }
}
