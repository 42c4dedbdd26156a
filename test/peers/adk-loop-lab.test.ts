/**
 * The three levels of a rival laboratory, offline: the same input, what it made of it, and what is made of it here. What it
 * does with single checks is in `adk-loop-lab-checks.test.ts`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forbiddenPatterns, numericRange, responseLength } from '@donecheck/engine/verify'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from '../e2e/donecheck.ts'
import { latestOf, runAgent, verdictsOf } from './trial.ts'

const sentence = 'A generation proposes, for example, a patch, and a verification has to confirm it.'

/** A text about generation and verification of so many words. */
function words(count: number): string {
  const all = Array.from({ length: count }, (_, index) => sentence.split(' ')[index % 14] ?? '')
  return all.join(' ')
}

describe('level 1: a text of 180 to 260 words', () => {
  const checks = [
    numericRange('words', { min: 180, max: 260 }, { name: 'word count' }),
    responseLength({ words: { min: 180, max: 260 } }, { name: 'length' }),
    forbiddenPatterns(['studies show', 'according to'], { name: 'unsupported' }),
  ]

  it('theirs: STAGNATED with 149 words, exit 0; ours: 149 words are refused, the next 200 are verified', async () => {
    const ran = await runAgent(null, { steps: [words(115), words(149), words(200)], hardVerifiers: checks })
    expect(ran).toMatchObject({ outcome: 'verified', exitCode: 0, transition: { reason: 'task_complete' } })
    expect(verdictsOf(ran, 'word count').map(({ status }) => status)).toEqual(['failed', 'failed', 'passed'])
    expect(ran.told).toContain('words of the answer is 149; wanted: 180 to 260')
    expect(ran.finalText.split(' ')).toHaveLength(200)
  })

  it('theirs: exit 0 for a text that never gets longer; ours: exhausted, and the exit code says so', async () => {
    const ran = await runAgent(null, {
      steps: [words(115), words(149)],
      hardVerifiers: checks,
      hardCap: { iterations: 5 },
    })
    expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3 })
    expect(latestOf(ran, 'word count').status).toBe('failed')
  })

  it('theirs: the process exits with 0 however it went; ours: 3 from the real command', async () => {
    await inPlace({}, async (place) => {
      const until = 'test "$(wc -w < answer.txt)" -ge 180'
      const agent = `printf '%s' '${words(149)}' > answer.txt; echo done`
      const caps = ['--max-turns', '3', '--output-format', 'json']
      const ended = await place.run(['run', '--until', until, '--agent', agent, ...caps, 'Explain it.'])
      expect(ended.exitCode).toBe(3)
      expect(lastJson(ended)).toMatchObject({ outcome: 'exhausted', reason: 'hard_cap' })
    })
  })
})

describe('level 2: research with sources', () => {
  const claim = 'Durable state survives restarts [source: checkpointing].'
  const phantom = 'Durable state survives restarts [source: state_persistence_2].'

  it('theirs: a cited id is believed; ours: one that no document has is refused, mended, and verified', async () => {
    const unknown = /\[source: (?!checkpointing\]|session_state\])[^\]]*\]/
    const check = forbiddenPatterns([unknown], { name: 'citations' })
    const ran = await runAgent(null, { steps: [phantom, claim], hardVerifiers: [check] })
    expect(ran).toMatchObject({ outcome: 'verified', exitCode: 0 })
    const [first] = verdictsOf(ran, 'citations')
    expect(first).toMatchObject({ status: 'failed' })
    expect(first?.reason).toContain('forbidden')
  })
})

const store = (isExpired: string) => `export class KeyValueStore {
  #entries = new Map()
  set(key, value, ttlMs) { this.#entries.set(key, { value, until: ttlMs === undefined ? Infinity : Date.now() + ttlMs }) }
  get(key) { return this.exists(key) ? this.#entries.get(key).value : undefined }
  delete(key) { return this.#entries.delete(key) }
  exists(key) { const entry = this.#entries.get(key); return entry !== undefined && !(${isExpired}) }
  keys() { return [...this.#entries.keys()].filter((key) => this.exists(key)) }
}
`
const head = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyValueStore } from './store.mjs'
`
const fiveTests = `${head}const filled = () => { const store = new KeyValueStore(); store.set('a', 1); return store }
test('get', () => assert.equal(filled().get('a'), 1))
test('missing', () => assert.equal(filled().get('b'), undefined))
test('exists', () => assert.ok(filled().exists('a')))
test('delete', () => { const store = filled(); store.delete('a'); assert.ok(!store.exists('a')) })
test('keys', () => assert.deepEqual(filled().keys(), ['a']))
`
const threeMore = `${head}const expired = () => { const store = new KeyValueStore(); store.set('a', 1, -1); return store }
test('without a limit it stays', () => { const store = new KeyValueStore(); store.set('a', 1); assert.equal(store.get('a'), 1) })
test('expired get', () => assert.equal(expired().get('a'), undefined))
test('expired keys', () => assert.deepEqual(expired().keys(), []))
`

describe('level 3: a patch and eight tests', () => {
  /** Turn 1: tests and a patch that does not work. Turn 2 is killed in the middle. Then the repair. */
  const agent = (home: string) => `n=$(cat ${home}/n 2>/dev/null || echo 0); echo $((n+1)) > ${home}/n
cp ${home}/more.txt ttl.test.mjs
case $n in
0) cp ${home}/wrong.txt store.mjs; echo 'The patch is in place, all tests pass.';;
1) echo 'export class KeyVal' > store.mjs; echo $$ > ${home}/pid; exec sleep 1000;;
*) cp ${home}/right.txt store.mjs; echo 'Repaired.';;
esac
`

  it('theirs: no patch, STAGNATED, no resume; ours: fails, is killed hard, is resumed, repairs, 8 tests green', async () => {
    await inPlace({ 'store.mjs': store('false'), 'store.test.mjs': fiveTests }, async (place) => {
      const { home } = place
      for (const [name, text] of Object.entries({
        'agent.sh': agent(home),
        'more.txt': threeMore,
        'wrong.txt': store('entry.until < 0'),
        'right.txt': store('entry.until < Date.now()'),
      }))
        await place.write(join('../home', name), text)
      const line = ['--until', 'node --test', '--agent', `sh ${home}/agent.sh`, '--output-format', 'json']
      const killed = place.start(['run', ...line, 'Add a time to live.'])
      await expect.poll(() => existsSync(join(home, 'pid'))).toBe(true)
      killed.child.kill('SIGKILL')
      await killed.ended
      // Nobody is left to end what the killed process had started.
      process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGKILL')
      const resumed = await place.run(['resume', 'last', '--output-format', 'json'])
      const result = lastJson(resumed)
      expect(result).toMatchObject({ outcome: 'verified', exitCode: 0 })
      expect(resumed.exitCode).toBe(0)
      const counts = { passed: 8, failed: 0, errored: 0, skipped: 0, total: 8 }
      const tests: unknown = expect.objectContaining({ kind: 'tests', counts })
      const evidence: unknown = expect.arrayContaining([tests])
      expect(result['verdicts']).toContainEqual(
        expect.objectContaining({ verifier: 'node --test', status: 'passed', evidence }),
      )
      const events = await place.run(['show', 'last', '--json'])
      expect(events.stdout).toContain('node --test failed')
      expect(await readFile(join(place.folder, 'store.mjs'), 'utf8')).toContain('Date.now()')
    })
  })
})
