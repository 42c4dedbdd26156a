import { describe, expect, it } from 'vitest'
import type { ReplyCheckSettings } from '../events/settings/index.ts'
import {
  begun,
  checked,
  claimed,
  failedVerdict,
  given,
  passedVerdict,
  type Given,
  type RunChoices,
} from '../testing/index.ts'
import {
  modelCalled,
  modelProposed,
  modelReplied,
  replyDelivered,
  replyJudged,
  runResumed,
  runStopped,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  workspaceObserved,
  modelFailed,
  replySettled,
} from '../testing/facts.ts'
import { defaultKeywords, defaultNegations } from './replies.ts'

const settings: ReplyCheckSettings = {
  maxAttempts: 3,
  trigger: { keywords: defaultKeywords, negations: defaultNegations },
  onUndecided: 'deliver',
  messagingTools: ['send_message'],
  streams: false,
  delivers: true,
  verifies: true,
}

/** A run of a question and its answer, without other checks. */
function chat(different: Partial<ReplyCheckSettings> = {}, choices: RunChoices = {}): Given {
  return given(
    begun({
      workFolder: null,
      replyCheck: { ...settings, ...different },
      completeWhen: 'checks-and-claim',
      ...choices,
    }),
  )
}

function settledOf(run: Given) {
  const { decision } = run.whenDecided()
  if (decision.kind !== 'settle-reply') throw new Error(`decided ${decision.kind}`)
  return decision.settled
}

/** Settled as decided, and handed on. */
function delivered(run: Given): Given {
  const settled = settledOf(run)
  const told = run.and({ type: 'reply-settled', ...settled })
  return settled.delivers ? told.and(replyDelivered()) : told
}

function feedbackOf(run: Given): string {
  const { decision } = run.whenDecided()
  if (decision.kind !== 'continue') throw new Error(`decided ${decision.kind}`)
  return decision.feedback ?? ''
}

const send = (turn: number, callId = 'send-1', status: 'ok' | 'error' | 'unknown' = 'ok') => [
  modelCalled(turn),
  modelProposed(toolCall(callId, 'send_message', { text: 'Done.' })),
  toolCalled(callId, 'execute', 'send_message'),
  toolReturned(callId, '', status),
]

describe('given a reply that claims to be the end', () => {
  const claim = chat().and(claimed(1, 'All is done.'))

  it('is judged before anything ends', () => {
    claim.whenDecided().then({ kind: 'judge-reply', attempt: 1, maxAttempts: 3 })
  })

  it('is settled once the judge is content, and then verifies the run', () => {
    const judged = claim.and(replyJudged(1, { status: 'passed', reason: 'all is there' }))
    expect(settledOf(judged)).toEqual({
      ending: 'passed',
      attempt: 1,
      text: 'All is done.',
      message: 'all is there',
      delivers: true,
    })
    delivered(judged)
      .whenDecided()
      .then({
        kind: 'stop',
        transition: { reason: 'task_complete', outcome: 'verified', message: 'all is there' },
      })
  })

  it('is not called verified when all checks pass and the judge could not decide', () => {
    const run = given(begun({ verifiers: ['tests'], replyCheck: settings }, failedVerdict('tests')))
      .and(claimed(1, 'Done.'), checked('claim', passedVerdict('tests')), workspaceObserved('tree-1'))
      .and(replyJudged(1, { status: 'error' }))
    delivered(run)
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'model_ended', outcome: 'unverified' } })
  })

  it('where that is wanted is withheld instead: the run sleeps, and a resume asks the judge and not the agent', () => {
    const run = chat({ onUndecided: 'withhold' }).and(
      claimed(1, 'All is done.'),
      replyJudged(1, { status: 'error', reason: 'no key' }),
    )
    run.whenDecided().then({ kind: 'stop', transition: { reason: 'awaiting_approval', outcome: 'blocked' } })
    run
      .and(runStopped('awaiting_approval', { outcome: 'blocked' }), runResumed())
      .whenDecided()
      .then({ kind: 'judge-reply', attempt: 1 })
  })

  it('work that the checks do not pass is sent back by them, and no judge is asked', () => {
    given(begun({ verifiers: ['tests'], replyCheck: settings }, failedVerdict('tests')))
      .and(claimed(1, 'Done.'), checked('claim', failedVerdict('tests')), workspaceObserved('tree-1'))
      .whenDecided()
      .then({ kind: 'continue', transition: { kind: 'continue', reason: 'verifier_feedback' } })
  })
})

describe('given a reply that is not judged', () => {
  it.each([
    ['it claims nothing', 'Hello there.', 'not-triggered', true],
    ['it is empty', ' \n ', 'skipped', false],
  ])('%s', (_, text, ending, delivers) => {
    const settled = settledOf(chat().and(claimed(1, text)))
    expect(settled).toMatchObject({ ending, delivers })
    delivered(chat().and(claimed(1, text)))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'model_ended', outcome: 'unverified' } })
  })

  it('a messaging tool has sent it in this attempt: it is not delivered again', () => {
    const run = chat().and(send(1), turnEnded(1), claimed(2, 'Sent. Done.'))
    expect(settledOf(run)).toMatchObject({ ending: 'skipped', skip: 'sent-by-tool', delivers: false })
  })

  it('the tool stands behind its server', () => {
    const call = toolCall('c', 'mcp__slack__send_message')
    const run = chat().and(
      modelCalled(1),
      modelProposed(call),
      toolCalled('c', 'execute', call.tool),
      toolReturned('c'),
    )
    expect(settledOf(run.and(turnEnded(1), claimed(2, 'Done.')))).toMatchObject({ skip: 'sent-by-tool' })
  })

  it('a call that is broken off may have sent it; one that failed, was refused or only reads has not', () => {
    expect(settledOf(chat().and(send(1, 'c', 'unknown'), turnEnded(1), claimed(2, 'Done.')))).toMatchObject({
      skip: 'sent-by-tool',
    })
    const failed = chat().and(send(1, 'c', 'error'), turnEnded(1), claimed(2, 'Done.'))
    const refused = chat().and(modelCalled(1), modelProposed(toolCall('c', 'send_message')), toolRefused('c'))
    const read = chat().and(
      modelCalled(1),
      modelProposed(toolCall('c', 'send_message', { action: 'list' })),
      toolCalled('c', 'read', 'send_message'),
      toolReturned('c'),
    )
    for (const run of [
      failed,
      refused.and(turnEnded(1), claimed(2, 'Done.')),
      read.and(turnEnded(1), claimed(2, 'Done.')),
    ])
      run.whenDecided().then({ kind: 'judge-reply' })
  })

  it('its reader has it already: it was streamed', () => {
    const streamed = modelReplied({ text: 'Done.', streamed: true })
    expect(settledOf(chat({ streams: true }).and(modelCalled(1), streamed))).toMatchObject({
      skip: 'streamed',
      delivers: false,
    })
  })

  it('the checks end the run while calls are pending: there is no reply', () => {
    const run = given(begun({ verifiers: ['tests'], replyCheck: settings }, failedVerdict('tests'))).and(
      send(1),
      workspaceObserved('tree-1'),
      checked('change', passedVerdict('tests')),
      workspaceObserved('tree-1'),
    )
    expect(settledOf(run)).toMatchObject({ skip: 'pending-tool-calls', text: '', delivers: false })
    delivered(run)
      .whenDecided()
      .then({ kind: 'stop', transition: { outcome: 'verified' } })
  })

  it('an agent that reports a problem has not answered', () => {
    const crashed = modelReplied({ text: 'Done.', problem: 'exit code 3' })
    expect(settledOf(chat().and(modelCalled(1), crashed))).toMatchObject({ skip: 'error-reply' })
  })
})

/** A first attempt that fell short and was sent back. */
function sentBack(run = chat()): Given {
  return run
    .and(
      claimed(1, 'All is done.'),
      replyJudged(1, { status: 'failed', category: 'incomplete', reason: 'half is missing' }),
    )
    .and(turnEnded(1, 'Mend it.', 'reply_feedback'))
}

describe('given a second attempt', () => {
  it('what an earlier attempt did counts no more: its message was that one, not this', () => {
    const sentFirst = given(begun({ verifiers: ['tests'], replyCheck: settings }, failedVerdict('tests')))
      .and(send(1), workspaceObserved('tree-0'), turnEnded(1))
      .and(claimed(2, 'Sent. Done.'), checked('claim', failedVerdict('tests')), workspaceObserved('tree-1'))
      .and(turnEnded(2, 'The tests fail.', 'verifier_feedback'))
    sentFirst
      .and(
        claimed(3, 'Mended, and done.'),
        checked('claim', passedVerdict('tests')),
        workspaceObserved('tree-1'),
      )
      .whenDecided()
      .then({ kind: 'judge-reply', attempt: 1 })
  })

  it('is told all that was found before, not the last alone', () => {
    const run = sentBack().and(
      claimed(2, 'The other half.'),
      replyJudged(2, { status: 'failed', category: 'tone_mismatch', reason: 'too curt' }),
    )
    expect(feedbackOf(run)).toContain('Attempt 1: [incomplete] half is missing')
    expect(feedbackOf(run)).toContain('Attempt 2: [tone_mismatch] too curt')
  })

  it('says the same again: it is not judged again, and is told so', () => {
    const run = sentBack().and(claimed(2, 'All  is done.\n'))
    expect(feedbackOf(run)).toContain('says the same')
    const last = run.and(turnEnded(2, 'Mend it.', 'reply_feedback'), claimed(3, 'All is done.'))
    expect(settledOf(last)).toMatchObject({ ending: 'exhausted', attempt: 1, text: 'All is done.' })
  })

  it.each([
    ['is empty', claimed(2, '')],
    ['fails for good', [modelCalled(2), modelFailed({ retryable: false })]],
  ])('%s: the earlier reply is delivered, and is not called exhausted', (_, steps) => {
    const run = sentBack().and(steps)
    expect(settledOf(run)).toMatchObject({ ending: 'ended-early', attempt: 1, text: 'All is done.' })
    const { decision } = delivered(run).whenDecided()
    expect(decision.kind === 'stop' && decision.transition.outcome).not.toBe('verified')
  })
})

describe('given the last attempt', () => {
  const attempts = (scores: readonly (number | undefined)[]) =>
    scores.reduce<Given>(
      (run, score, index) => {
        const attempt = index + 1
        const verdict = { status: 'failed', ...(score === undefined ? {} : { score }) } as const
        const judged = run.and(claimed(attempt, `Answer ${attempt}.`), replyJudged(attempt, verdict))
        return attempt === scores.length
          ? judged
          : judged.and(turnEnded(attempt, 'Mend it.', 'reply_feedback'))
      },
      chat({ trigger: 'all' }),
    )

  it('the best is delivered, not the last, and the run says that it is unverified', () => {
    const run = attempts([0.2, 0.8, 0.5])
    expect(settledOf(run)).toMatchObject({ ending: 'exhausted', attempt: 2, text: 'Answer 2.' })
    const { decision } = delivered(run).whenDecided()
    expect(decision).toMatchObject({
      kind: 'stop',
      transition: { reason: 'model_ended', outcome: 'unverified' },
    })
    expect(decision).toHaveProperty(
      'transition.message',
      expect.stringContaining('none of 3 attempts passed'),
    )
  })

  it('n is one attempt less than n + 1', () => {
    attempts([0.2, 0.8]).whenDecided().then({ kind: 'continue' })
    attempts([0.2, 0.8, 0.5]).whenDecided().then({ kind: 'settle-reply' })
  })

  it('what no further turn can mend is not sent back', () => {
    const run = chat().and(claimed(1, 'Done.'), replyJudged(1, { status: 'failed', canRetry: false }))
    expect(settledOf(run)).toMatchObject({ ending: 'exhausted', attempt: 1 })
  })

  it('at a cap the reply is judged, and not sent back', () => {
    const run = chat({}, { caps: { maxIterations: 1 } })
      .and(claimed(1, 'Done.'))
      .afterNotes()
    run.whenDecided().then({ kind: 'judge-reply' })
    const passed = delivered(run.and(replyJudged(1, { status: 'passed', reason: 'all is there' })))
    passed.whenDecided().then({
      kind: 'stop',
      transition: { reason: 'task_complete', outcome: 'verified', atCap: 'iterations' },
    })
    expect(settledOf(run.and(replyJudged(1)))).toMatchObject({ ending: 'exhausted', attempt: 1 })
  })
})

describe('given a process that died', () => {
  it('between judge and retry: the verdict stands, nobody is asked again, nothing is delivered', () => {
    const judged = chat().and(claimed(1, 'Done.'), replyJudged(1))
    judged
      .and(runResumed())
      .whenDecided()
      .then({ kind: 'continue', transition: { kind: 'continue', reason: 'reply_feedback' } })
  })

  it('while the reply was handed on: it is never handed on again', () => {
    const settled = chat().and(claimed(1, 'Done.'), replyJudged(1, { status: 'passed' }), replySettled())
    settled
      .and(runResumed(), replyDelivered('unknown'))
      .whenDecided()
      .then({ kind: 'stop', transition: { outcome: 'verified' } })
  })

  it('after the delivery: an answer of a later turn is neither delivered nor verified by the earlier verdict', () => {
    const run = given(begun({ verifiers: ['tests'], replyCheck: settings }, failedVerdict('tests')))
      .and(claimed(1, 'Done.'), checked('claim', passedVerdict('tests')), workspaceObserved('tree-1'))
      .and(
        replyJudged(1, { status: 'error' }),
        replySettled({ ending: 'undecided' }),
        replyDelivered(),
        runResumed(),
      )
      .and(workspaceObserved('tree-2'), checked('turn', failedVerdict('tests')), workspaceObserved('tree-2'))
      .and(turnEnded(1, 'red', 'verifier_feedback'))
      .and(claimed(2, 'Done now.'), checked('claim', passedVerdict('tests')), workspaceObserved('tree-2'))
    run.whenDecided().then({ kind: 'stop', transition: { reason: 'task_complete', outcome: 'verified' } })
  })
})
