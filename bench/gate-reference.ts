import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkOutput, matchPrefixRules, policyOf } from '@donecheck/engine/gate'
import { decompose } from '@donecheck/engine/internal/analysis/shell'
import { referenceProgram } from '../test/peers/codex/patch-runs.ts'
import { commandLines } from './gate-commands.ts'
import { benchRules } from './gate-decision.ts'
import type { BenchOptions } from './gate-figures.ts'
import { ruleCount, ruleFile } from './gate-rules.ts'
import { median, rounded, type Table } from './table.ts'

/**
 * One command of literal words, answered here and by the reference program, in turn. For information: that one starts a
 * process and reads its rules for each.
 */
export function gateReferenceTable({ full }: BenchOptions): Table {
  const policy = policyOf(benchRules())
  const ours = (words: readonly string[]) => JSON.stringify(checkOutput(matchPrefixRules(policy, words)))
  const commands = literalCommands().slice(0, full ? undefined : 30)
  const place = mkdtempSync(join(tmpdir(), 'donecheck-bench-'))
  try {
    const rules = join(place, 'bench.rules')
    writeFileSync(rules, ruleFile())
    return tableOf(commands.map((words) => ask(words, ours, rules)))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

interface Asked {
  readonly ms: number
  /** Undefined: the reference is not installed. */
  readonly referenceMs: number | undefined
  readonly isSame: boolean
}

function ask(words: readonly string[], ours: (words: readonly string[]) => string, rules: string): Asked {
  const own = measured(() => ours(words))
  const program = referenceProgram
  if (program === undefined) return { ms: own.ms, referenceMs: undefined, isSame: true }
  const given = ['execpolicy', 'check', '--rules', rules, '--', ...words]
  const reference = measured(() => spawnSync(program, given, { encoding: 'utf8', env: {} }).stdout)
  const isSame = sortedJson(own.answer) === sortedJson(reference.answer)
  return { ms: own.ms, referenceMs: reference.ms, isSame }
}

function tableOf(asked: readonly Asked[]): Table {
  const own = median(asked.map(({ ms }) => ms))
  const reference = median(asked.flatMap(({ referenceMs }) => referenceMs ?? []))
  const isThere = !Number.isNaN(reference)
  const different = asked.filter(({ isSame }) => !isSame).length
  const note = isThere
    ? `in turn, ${different} different answers`
    : 'the reference program is not installed: skipped'
  return {
    title: `${ruleCount} rules asked for one command, without a shell line around it, ${asked.length} commands, ${note}`,
    rows: [
      ...(isThere
        ? [{ name: 'codex execpolicy check, a process', 'median ms': rounded(reference, 1), ratio: 1 }]
        : []),
      {
        name: 'donecheck, in this process',
        'median ms': rounded(own, 4),
        ratio: isThere ? rounded(own / reference, 5) : '',
      },
    ],
  }
}

function literalCommands(): readonly (readonly string[])[] {
  const found = commandLines.flatMap((line) => decompose(line).commands)
  return found
    .map(({ words }) => words.map(({ text }) => text))
    .filter((words): words is string[] => words.every((text) => text !== null))
}

function sortedJson(text: string): string {
  const value: unknown = JSON.parse(text)
  return JSON.stringify(value, keysOf(value).toSorted())
}

/** Of all levels: what is not in the list is left out. */
function keysOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(keysOf)]
}

function measured(work: () => string): { readonly answer: string; readonly ms: number } {
  const startedMs = performance.now()
  const answer = work()
  return { answer, ms: performance.now() - startedMs }
}
