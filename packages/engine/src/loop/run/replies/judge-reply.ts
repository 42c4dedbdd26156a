import type { Decision } from '@donecheck/core/decide'
import type { Verdict } from '@donecheck/core/verdicts'
import { given } from '../../../base/index.ts'
import { undecidedReport, type Verifier, type VerifierContext } from '../../../ports/checks.ts'
import type { Session } from '../session/session.ts'
import { askForReport } from '../verify/report-of.ts'
import type { World } from '../session/world.ts'

type JudgeReply = Extract<Decision, { kind: 'judge-reply' }>

/** Announces that the judge is asked, asks it about the latest reply, records what it says. An interrupt leaves it open. */
export async function judgeReply(decision: JudgeReply, session: Session, world: World): Promise<void> {
  const { attempt, maxAttempts } = decision
  const [started] = await session.tell({ type: 'reply-judging-started', attempt, maxAttempts })
  const startedMs = world.clock.nowMs()
  const verdict = await verdictOf(attempt, session, world)
  if (world.signal.aborted) return
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  const judged = { type: 'reply-judged', attempt, verdict: { ...verdict, durationMs }, durationMs } as const
  await session.tell({ ...judged, ...given({ causeId: started?.id }) })
}

async function verdictOf(attempt: number, session: Session, world: World): Promise<Verdict> {
  const judge = world.replies?.judge
  if (judge === undefined)
    return { ...undecidedReport(goneSince, 'infrastructure'), verifier: 'judge', durationMs: 0 }
  const context = contextOf(attempt, judge, session, world)
  const report = await askForReport(() => judge.verify(context, world.signal), 'claim', world.signal)
  const { attachments = [], ...said } = report
  for (const attachment of attachments) await session.attach(attachment)
  return { ...said, verifier: judge.description.name, durationMs: 0 }
}

const goneSince = 'the judge of replies was part of the run when it started and is not there now'

function contextOf(
  attempt: number,
  { description }: Verifier,
  { state, runId }: Session,
  world: World,
): VerifierContext {
  const { modelCalls, toolCalls, inputTokens, outputTokens, costUsd } = state.consumption
  const history = world
    .history()
    .flatMap((event) =>
      event.type === 'reply-judged' && event.attempt < attempt && event.verdict.verifier === description.name
        ? [event.verdict]
        : [],
    )
  return {
    runId,
    workFolder: state.workFolder,
    projectFolder: state.workFolder,
    task: state.task,
    finalText: state.replyCheck?.latest?.text ?? '',
    trigger: 'claim',
    turn: state.turn,
    fingerprint: state.workspace.current,
    baseline: undefined,
    state: {
      history,
      calls: { model: modelCalls, tools: toolCalls },
      usage: { inputTokens, outputTokens, costUsd },
    },
    events: () => world.history(),
  }
}
