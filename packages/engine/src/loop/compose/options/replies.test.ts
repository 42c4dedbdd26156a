import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { JudgeAnswer, JudgeRequest } from '../../../ports/judges.ts'
import type { Reply } from '../../../ports/replies.ts'
import { verifierOf } from '../../../checks/verify/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { scriptedAgent, type ScriptedStep } from '../../agents/index.ts'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import type { ReplyVerification } from './replies.ts'

type Answer = Partial<JudgeAnswer> & Pick<JudgeAnswer, 'kind'>

const met: Answer = { kind: 'met', reason: 'all is there' }
const notMet: Answer = { kind: 'not-met', reason: 'half is missing', category: 'incomplete' }

/** Returns one answer after the other, and records the questions. */
function scriptedJudge(...answers: readonly (Answer | Error)[]) {
  const asked: JudgeRequest[] = []
  return {
    asked,
    name: 'script',
    judge: async (request: JudgeRequest): Promise<JudgeAnswer> => {
      const answer = answers[asked.push(request) - 1] ?? met
      if (answer instanceof Error) throw answer
      return { reason: '', quotes: [], costUsd: 0.01, ...answer }
    },
  }
}

interface Scene extends Partial<Omit<AgentLoopOptions, 'verifyReplies'>> {
  readonly script: readonly ScriptedStep[]
  readonly judge?: ReturnType<typeof scriptedJudge>
  readonly replies?: Partial<ReplyVerification>
}

function scene({ script, judge = scriptedJudge(), replies, ...options }: Scene) {
  const delivered: Reply[] = []
  const loop = createAgentLoop({
    agent: scriptedAgent(script),
    gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
    ...options,
    verifyReplies: { judge, deliver: (reply) => void delivered.push(reply), ...replies },
  })
  return { loop, judge, delivered }
}

describe('given a judge that is content, and a held-out check that is red', () => {
  it('the run is not verified, and says which check has not passed', async () => {
    const { loop } = scene({
      script: ['All is done.', 'All is done.', 'All is done.', 'All is done.'],
      hardVerifiers: [
        verifierOf('shown', () => true, { reads: 'answer', required: false }),
        verifierOf('acceptance', () => false, { reads: 'answer', role: 'held-out' }),
      ],
      hardCap: { iterations: 3 },
    })
    const { transition, verdicts } = await loop.run('do it')
    expect(transition.outcome).not.toBe('verified')
    expect(verdicts.find(({ verifier }) => verifier === 'acceptance')?.status).toBe('failed')
  })
})

describe('given a reply that falls short', () => {
  it('the best of all is delivered, and every place says that it is unverified', async () => {
    const { loop, delivered } = scene({
      script: ['One, done.', 'Two, done.', 'Three, done.'],
      judge: scriptedJudge({ ...notMet, score: 0.2 }, { ...notMet, score: 0.8 }, { ...notMet, score: 0.5 }),
    })
    const { transition, reply } = await loop.run('do it')
    expect(delivered).toMatchObject([{ text: 'Two, done.', isVerified: false, ending: 'exhausted' }])
    expect(transition).toMatchObject({ outcome: 'unverified' })
    expect(transition.message).toContain('none of 3 attempts passed')
    expect(reply).toMatchObject({ ending: 'exhausted', attempt: 2, text: 'Two, done.' })
  })
})

describe('given a judge in trouble', () => {
  it.each<[string, Answer | Error]>([
    ['it throws', new Error('503')],
    ['it abstains', { kind: 'abstained', reason: 'cannot tell' }],
    ['it quotes what nobody said', { ...met, quotes: [{ text: 'never said' }] }],
    ['it answers nonsense', { kind: 'met', costUsd: -1 }],
  ])('%s: the reply is delivered, and the run is unverified', async (_, answer) => {
    const { loop, delivered } = scene({ script: ['Done.'], judge: scriptedJudge(answer) })
    const { transition, reply } = await loop.run('do it')
    expect(delivered).toMatchObject([{ text: 'Done.', isVerified: false, ending: 'undecided' }])
    expect(transition.outcome).toBe('unverified')
    expect(reply?.message).toContain('unverified')
  })

  it('withholds where that is wanted; a resume asks the judge again, and the agent is not asked', async () => {
    const store = memoryStore()
    const replies = { onUndecided: 'withhold' } as const
    const first = scene({ script: ['Done.'], judge: scriptedJudge(new Error('503')), replies, store })
    const { runId, transition } = await first.loop.run('do it')
    expect(transition).toMatchObject({ reason: 'awaiting_approval', outcome: 'blocked' })
    const second = scene({ script: ['Done.', 'Another answer.'], replies, store })
    const resumed = await second.loop.resume(runId)
    expect([...first.delivered, ...second.delivered].map(({ text }) => text)).toEqual(['Done.'])
    expect(resumed.usage.modelCalls).toBe(1)
    expect(resumed.transition.outcome).toBe('verified')
  })
})

describe('given a door that does not open', () => {
  it('the failed delivery stands in the record, and is not tried again', async () => {
    let calls = 0
    const deliver = () => {
      calls += 1
      throw new Error('no route')
    }
    const { loop } = scene({ script: ['Done.'], replies: { deliver } })
    const { reply, transition } = await loop.run('do it')
    expect(calls).toBe(1)
    expect(reply).toMatchObject({ delivery: 'failed' })
    expect(transition.message).toContain('no route')
  })
})

describe('given settings that can never work', () => {
  it.each<[Partial<ReplyVerification>, string]>([
    [{ maxAttempts: 0 }, 'verifyReplies.maxAttempts must be at least 1, not 0'],
    [{ maxAttempts: 11 }, 'verifyReplies.maxAttempts must be at most 10, not 11'],
    [{ keywords: [' '] }, 'keywords is empty'],
  ])('%j', (replies, words) => {
    expect(() => scene({ script: [], replies })).toThrow(UsageError)
    expect(() => scene({ script: [], replies })).toThrow(words)
  })
})
