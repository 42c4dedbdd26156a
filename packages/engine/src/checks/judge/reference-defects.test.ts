/** What a self-verification loop of another project got wrong, in whole runs of ours. */
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/events'
import { createAgentLoop, type AgentLoopOptions } from '../../loop/compose/index.ts'
import { scriptedDrive } from '../../loop/drives/index.ts'
import type { Judge } from '../../ports/judges.ts'
import { verifierOf } from '../verify/index.ts'
import { judgeAccount } from './call-judge.ts'
import { closedAddress, givenFakeJudge, givenServer, judgeAt } from './fixtures/cases.ts'
import { judgeCheck } from './judge-check.ts'
import { judgePanel } from './panel.ts'

const drive = scriptedDrive(['Done! All tests pass.'])

async function run(judge: Judge, options: Partial<AgentLoopOptions> = {}, trusted = true) {
  const loop = createAgentLoop({
    drive,
    hardVerifiers: [judgeCheck(judge, { trusted, rubric: 'The answer is right.' })],
    hardCap: { iterations: 1 },
    ...options,
  })
  const running = loop.run('What is the capital of France?')
  const events: RunEvent[] = []
  for await (const event of running) events.push(event)
  const { transition, verdicts } = await running
  const verdict = verdicts.find(({ verifier }) => verifier === 'judge')
  if (verdict === undefined) throw new Error('the judge has said nothing')
  return { transition, events, verdict }
}

async function sayingJudge(content: string) {
  const { models, judge } = await givenFakeJudge()
  models.onMessage(/./, { content })
  return judge
}

describe('given an answer that claims tests, and no tool call at all', () => {
  it('does not pass on its words, whatever the judge says', async () => {
    const { transition, verdict } = await run(await sayingJudge('Splendid.\nQUOTE: All tests pass\nPASS'))
    expect(transition.outcome).not.toBe('verified')
    expect(verdict).toMatchObject({ status: 'error' })
    expect(verdict.reason).toContain('claims that checks pass')
  })
})

describe('given a judge that could not decide', () => {
  const paris = { drive: scriptedDrive(['Paris.']) }

  it.each<[string, () => Promise<Judge>, string]>([
    ['is down', async () => judgeAt(await closedAddress(), { tries: 1 }), 'cannot be reached'],
    ['is slow', () => givenServer(() => undefined, { timeoutMs: 50 }), 'did not answer within'],
    [
      'has no model',
      async () => judgeAt('http://127.0.0.1:1/v1', { model: 'none', tries: 1 }),
      'could not be asked',
    ],
    ['says both', () => sayingJudge('FAIL [incomplete]: tests\nPASS'), 'more than one verdict'],
    ['says neither', () => sayingJudge('Looks fine to me.'), 'holds no verdict'],
    ['passes in small letters', () => sayingJudge('pass'), 'not written as PASS'],
    ['lies about a quote', () => sayingJudge('QUOTE: London\nPASS'), 'does not stand in the answer'],
    ['names an unknown category', () => sayingJudge('FAIL [vibes]: no'), 'unknown category'],
  ])('one that %s leaves the run undecided, and the record says why', async (_, judge, reason) => {
    const { transition, verdict, events } = await run(await judge(), paris)
    expect(transition.outcome).not.toBe('verified')
    expect(verdict.status).toBe('error')
    expect(verdict.reason).toContain(reason)
    expect(events.filter(({ type }) => type === 'verdict-given')).not.toEqual([])
  })
})

describe('given a judge that decides', () => {
  it('passes an answer that it quotes, and says that nobody has measured its word', async () => {
    const judge = await sayingJudge('It names the city.\nQUOTE: Paris\nPASS')
    const { transition, verdict } = await run(judge, { drive: scriptedDrive(['It is Paris.']) })
    expect(transition).toMatchObject({ outcome: 'verified', reason: 'task_complete' })
    expect(verdict).toMatchObject({ status: 'passed', qualifiers: ['uncalibrated'] })
  })

  it('sends a failure back with its category, all of its feedback, and shows it to the next judge', async () => {
    const { models, judge } = await givenFakeJudge()
    models.onMessage(/earlier feedback/, { content: 'QUOTE: Paris\nPASS' })
    models.onMessage(/London/, { content: 'FAIL [goal_missed]: that is the capital\nof England' })
    const answers = scriptedDrive(['London.', 'Paris.'])
    const { transition, events } = await run(judge, { drive: answers, hardCap: { iterations: 3 } })
    const feedback = events.flatMap((event) => (event.type === 'turn-ended' ? (event.feedback ?? []) : []))
    expect(feedback[0]).toContain('not met [goal_missed]: that is the capital\nof England')
    expect(transition.outcome).toBe('verified')
  })

  it('is advice alone where nobody trusts it', async () => {
    const judge = await sayingJudge('QUOTE: Paris\nPASS')
    const { transition, verdict } = await run(
      judge,
      { drive: scriptedDrive(['Paris.'], { repeatLast: true }), hardCap: { iterations: 9 } },
      false,
    )
    expect(transition.outcome).toBe('unverified')
    expect(verdict).toMatchObject({ status: 'passed', qualifiers: ['shadow'] })
  })
})

describe('given a judge of the family of the drive', () => {
  it('says so before the first turn, and in the verdict', async () => {
    const judge: Judge = { ...(await sayingJudge('QUOTE: Paris\nPASS')), family: 'claude' }
    const paris = scriptedDrive(['Paris.'])
    const claude = { ...paris, description: { ...paris.description, name: 'anthropic/claude-opus-4-5' } }
    const { events, verdict } = await run(judge, { drive: claude })
    const kinds = events.map((event) => (event.type === 'finding-noted' ? event.finding.rule : event.type))
    expect(kinds.indexOf('kindred-judge')).toBeLessThan(kinds.indexOf('model-called'))
    expect(kinds).toContain('kindred-judge')
    expect(verdict.qualifiers).toContain('same-family')
  })
})

describe('given a veto', () => {
  it('no judge of a panel is asked, and nothing is paid', async () => {
    const { models, judge } = await givenFakeJudge()
    const panel = judgePanel([judge, { ...judge, name: 'second' }])
    const tests = verifierOf('tests', () => ({ passed: false, reason: 'two fail' }), { reads: 'answer' })
    const { verdict } = await run(panel, { hardVerifiers: [judgeCheck(panel, { trusted: true }), tests] })
    expect(verdict).toMatchObject({ status: 'skipped', reason: 'judge did not run: tests failed' })
    expect(models.getRequests()).toEqual([])
  })
})

describe('given money', () => {
  const prices = { tiny: { inputPerMillionTokens: 10, outputPerMillionTokens: 100 } }

  it('a judge spends from its own account, which is shown apart', async () => {
    const { models, judge } = await givenFakeJudge({ prices })
    models.onMessage(/./, {
      content: 'QUOTE: Paris\nPASS',
      usage: { prompt_tokens: 1000, completion_tokens: 100 },
    })
    const { verdict } = await run(judge, { drive: scriptedDrive(['Paris.']) })
    expect(verdict.costUsd).toBeCloseTo(0.02)
    expect(verdict.evidence).toMatchObject([{ kind: 'judge', judge: 'openai-compatible/tiny', tokens: 1100 }])
  })

  it('over budget it is not asked, and has not passed', async () => {
    const { models, judge } = await givenFakeJudge({ prices, account: judgeAccount({ maxCostUsd: 0.001 }) })
    const { transition, verdict } = await run(judge, { drive: scriptedDrive(['Paris.']) })
    expect(verdict).toMatchObject({ status: 'error', qualifiers: ['infrastructure', 'uncalibrated'] })
    expect(transition.outcome).not.toBe('verified')
    expect(models.getRequests()).toEqual([])
  })
})
