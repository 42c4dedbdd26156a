/** The audit as a person reads it: calm, and no wider than eighty columns. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowState, Tier, TierRow, TiersReport } from '../tiers/tier.ts'
import { tiersLines } from './tiers-text.ts'

const row = (more: Partial<TierRow> = {}): TierRow => ({
  ...{ name: 'npm test', state: 'stands', what: 'must exit with 0', option: null, cost: null },
  ...more,
})

const tier = (more: Partial<Tier> = {}): Tier => ({
  tier: 'hard',
  state: 'stands',
  rows: [row()],
  fill: null,
  ...more,
})

const report = (tiers: readonly Tier[], more: Partial<TiersReport> = {}): TiersReport => ({
  ...{ schemaVersion: 1, problems: [], notes: [], tiers },
  subject: { kind: 'run', workFolder: '/srv/shop', drive: 'openai/gpt-5' },
  empty: tiers.flatMap(({ tier: name, state }) => (state === 'empty' ? [name] : [])),
  ...more,
})

const agent: TiersReport['subject'] = {
  ...{ kind: 'agent', workFolder: '/srv/shop', agent: 'codex', title: 'Codex', hooks: 'installed' },
}

const shown = (given: TiersReport, width = 80) => tiersLines(given, width).map(({ text }) => text)

describe('given tiers that stand', () => {
  it('then each check says what it does and what it costs', () => {
    const cost = { verdicts: 9, medianSeconds: 4.21, medianCostUsd: 0.002 }
    const rows = [row({ cost }), row({ name: 'lint', cost: { ...cost, medianSeconds: null } })]
    expect(shown(report([tier({ rows })]))).toEqual([
      'A run in shop, driven by openai/gpt-5',
      '',
      'Hard verifiers: only these can end it as verified',
      '  ✓ npm test  must exit with 0 · 4.2 s, $0.0020 a turn (median of 9)',
      '  ✓ lint      must exit with 0 · not measured yet',
      '',
      'No tier is empty.',
    ])
  })

  it('then what is off is told in one line, as it is typed', () => {
    const off = (name: string) => row({ name, state: 'off', option: { flag: `--max-${name}`, key: name } })
    const rows = [row(), off('tokens'), off('seconds'), row({ name: 'cost', state: 'off' })]
    expect(shown(report([tier({ tier: 'caps', rows })]))).toContain('  · off: --max-tokens, --max-seconds')
  })
})

describe('given an empty tier', () => {
  const fill = { line: 'donecheck run --preset tests "TASK"', key: "presets: ['tests']" }

  it('then it is named, with the line and the key that fill it, each once', () => {
    const text = shown(report([tier({ state: 'empty', fill }), tier({ tier: 'soft', state: 'empty', fill })]))
    expect(text).toContain('Hard verifiers (empty): only these can end it as verified')
    expect(text.slice(-3)).toEqual([
      'Empty: hard, soft. What it would take:',
      '  donecheck run --preset tests "TASK"',
      "  or presets: ['tests'] in donecheck.config.ts",
    ])
  })

  it('then hooks take up a key with the next installation', () => {
    const text = shown(report([tier({ state: 'empty', fill })], { subject: agent }))
    expect(text.at(-1)).toContain('then donecheck install codex')
  })
})

describe('given hooks that may not run', () => {
  it('then the problem stands first, and the doctor is named', () => {
    const doubtful = report([tier({ state: 'doubtful' })], { subject: agent, problems: ['no hook for Stop'] })
    const text = shown(doubtful)
    expect(text.slice(0, 2)).toEqual(['Codex in shop, by the hooks of donecheck', '  ✗ no hook for Stop'])
    expect(text.join(' ')).toContain('(in doubt)')
    expect(text.join(' ')).toContain('donecheck doctor codex')
  })
})

const states: readonly RowState[] = ['stands', 'advises', 'shadow', 'idle', 'offered', 'off']
const words = fc
  .array(fc.stringMatching(/^\S{1,40}$/), { minLength: 1, maxLength: 12 })
  .map((all) => all.join(' '))
const rows = fc.array(
  fc.record({
    name: words,
    state: fc.constantFrom(...states),
    what: words,
    option: fc.constant(null),
    cost: fc.constantFrom(null, { verdicts: 0, medianSeconds: null, medianCostUsd: null }),
  }),
)

it('no line is wider than it may be, whatever checks are called, and none moves the cursor', () => {
  fc.assert(
    fc.property(rows, words, (given, problem) => {
      const lines = shown(report([tier({ rows: given })], { problems: [problem, '\u001B[2Jgone'] }))
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
      expect(lines.join('')).not.toContain('\u001B')
    }),
  )
})
