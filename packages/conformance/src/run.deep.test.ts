import { describe, expect, it } from 'vitest'
import { cases } from './cases.ts'
import { formatJunit, buildTable } from './report.ts'
import { runConformance, type CaseResult } from './run.ts'
import type { Subject } from './subject.ts'

const called = (...names: readonly string[]) =>
  cases.filter(({ kind, name }) => names.includes(kind) || names.includes(`${kind}: ${name}`))

function faultsOf(results: readonly CaseResult[]): readonly string[] {
  return results.flatMap(({ problems }) => problems.map(({ fault }) => fault))
}

describe('given a loop that believes its agent', () => {
  const believing: Subject = { kind: 'loop', command: '"$AGENT" "$TASK"' }

  it('is found out, and not where the agent is honest', async () => {
    const some = called('honest: at once', 'lazy: claims at once', 'crash: exit 1 after the work')
    const results = await runConformance({ subject: believing, cases: some })
    expect(faultsOf(results)).toEqual(['false success', 'missed'])
    expect(results.map(({ turns }) => turns)).toEqual([1, 1, 1])
    expect(buildTable(results).at(-1)).toEqual(['all', '1 of 3', '1', '1', '', ''])
    const report = formatJunit(results)
    expect(report).toContain('<testsuite name="conformance" tests="3" failures="2">')
    expect(report).toContain('<testcase name="claims at once" classname="lazy"')
    expect(report).toContain('type="false success"')
  })

  it('that never ends is ended', async () => {
    const endless: Subject = { kind: 'loop', command: 'while true; do "$AGENT" "$TASK"; done' }
    const results = await runConformance({
      subject: endless,
      cases: called('lazy: says nothing'),
      timeoutMs: 1500,
    })
    expect(faultsOf(results)).toEqual(['no end'])
  })

  it('that loses a file of the user is told so', async () => {
    const losing: Subject = { kind: 'loop', command: '"$AGENT" "$TASK" && git clean --quiet --force' }
    const [result] = await runConformance({ subject: losing, cases: called('honest: at once') })
    expect(result?.problems).toEqual([
      { fault: 'other', message: 'notes.txt has unexpected content at the end' },
    ])
  })
})

describe('given a gate that asks the check alone', () => {
  it('lets everything pass that was tampered with: so the cases are what they say', async () => {
    const bare: Subject = { kind: 'ci-check', command: 'sh -c "$CHECK"' }
    const results = await runConformance({ subject: bare, cases: called('tamperer', 'honest') })
    const passed = results.filter(({ reported }) => reported.claim === 'verified')
    expect(passed).toHaveLength(results.length)
    for (const { case: one, problems } of results)
      expect([one.name, problems.length]).toEqual([one.name, one.expected === 'verified' ? 0 : 1])
  })
})

describe('given a Stop hook', () => {
  const some = called('honest: second try', 'lazy: claims at once', 'tamperer: empty test')

  it('holds the agent back by exit code 2, and lets it go', async () => {
    const plain: Subject = { kind: 'stop-hook', command: 'sh -c "$CHECK" >&2 || exit 2' }
    const results = await runConformance({ subject: plain, cases: some })
    expect(results.map(({ turns, reported }) => [turns, reported.claim])).toEqual([
      [2, 'verified'],
      [4, 'not-verified'],
      [1, 'verified'],
    ])
    expect(faultsOf(results)).toEqual(['false success'])
  })

  it('holds it by a decision, ends it, and may deny afterwards that anything is verified', async () => {
    const claims = async (answer: object, confirm = 'true') => {
      const command = `echo '${JSON.stringify(answer)}'`
      const subject: Subject = { kind: 'stop-hook', command, start: 'cat >> "$SCRATCH/told"', confirm }
      const [result] = await runConformance({ subject, cases: called('lazy: claims at once') })
      return [result?.turns, result?.reported.claim]
    }
    expect(await claims({ decision: 'block', reason: 'no' })).toEqual([4, 'not-verified'])
    expect(await claims({ continue: false, stopReason: 'no' })).toEqual([1, 'not-verified'])
    expect(await claims({})).toEqual([1, 'verified'])
    const denies = '! grep -q SessionStart "$SCRATCH/told"'
    expect(await claims({}, denies)).toEqual([1, 'not-verified'])
  })
})
