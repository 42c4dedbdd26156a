/** One turn in a thread of `codex app-server`, from its prompt to its end. */
import { payloadOf, textIn } from '../../protocol/hooks/index.ts'
import type { AgentSignal, TurnEnded } from '../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { answerable, tell, type Asking } from './app-server-requests.ts'
import { claimTakenBack, type GoalWatch } from './app-server-goal.ts'
import type { PermissionRequest, AppServerNews } from './app-server-news.ts'
import { AppServerTranslator } from './translate-app-server.ts'
import { failureOf } from './turn-failure.ts'

export interface ThreadTurn extends Asking {
  readonly threadId: string
  readonly prompt: string
  readonly goal: GoalWatch
  /** Threads whose goal was taken back in an earlier turn, and whose model has not been told. */
  readonly takenBack: Set<string>
  readonly onRunning: (turnId: string | undefined) => void
}

export async function* turnIn(turn: ThreadTurn): AsyncGenerator<AgentSignal> {
  const { peer, threadId, folder, goal } = turn
  const began = await peer.request('turn/start', { threadId, input: inputOf(turn) })
  const turnId = began.kind === 'result' ? textIn(payloadOf(began.result['turn']), 'id') : undefined
  if (turnId === undefined) {
    const message = began.kind === 'error' ? began.message : 'it said nothing of the turn'
    yield turnEnd({ failure: failureOf(message) })
    return
  }
  turn.onRunning(turnId)
  const translator = new AppServerTranslator({ threadId, turnId, folder }, goal)
  for await (const message of peer.messages()) {
    for (const reported of translator.read(message)) yield* perform(reported, translator, turn)
    if (translator.over !== undefined) break
  }
  turn.onRunning(undefined)
  if (translator.over === undefined) {
    const { problem } = await peer.ended
    yield turnEnd({ problem: `codex app-server ended in the middle of its turn: ${problem}` })
    return
  }
  if (goal.isClaimed) {
    await peer.request('thread/goal/set', { threadId, status: 'paused' })
    turn.takenBack.add(threadId)
  }
  yield translator.over
}

export function turnEnd(how: Pick<TurnEnded, 'problem' | 'failure'>): TurnEnded {
  return { kind: 'turn-ended', text: '', ...how }
}

function inputOf({ prompt, takenBack, threadId }: ThreadTurn): JsonValue {
  const texts = takenBack.delete(threadId) ? [prompt, claimTakenBack] : [prompt]
  return texts.map((text) => ({ type: 'text', text }))
}

async function* perform(
  reported: AppServerNews,
  translator: AppServerTranslator,
  turn: ThreadTurn,
): AsyncGenerator<AgentSignal> {
  const { peer, threadId, records } = turn
  switch (reported.kind) {
    case 'signal':
      yield reported.signal
      return
    case 'asked':
      yield* ask(reported, turn)
      return
    case 'step':
      yield* translator.addRecordedCalls(await records.takeEndedCalls(reported.threadId))
      yield { kind: 'step', usage: reported.usage }
      return
    case 'pause-goal':
      await peer.send('thread/goal/set', { threadId, status: 'paused' })
      return
    case 'stray-turn':
      await peer.send('turn/interrupt', { threadId, turnId: reported.turnId })
      return
    case 'declined': {
      const text = `That was refused: ${reported.reason}`
      const { turnId } = reported
      if (turnId !== undefined)
        await peer.send('turn/steer', {
          threadId: reported.threadId,
          expectedTurnId: turnId,
          input: [{ type: 'text', text }],
        })
      await peer.answer(reported.id, reported.result)
      return
    }
    case 'unanswerable':
      await peer.cannotAnswer(reported.id, reported.method)
  }
}

async function* ask(asked: PermissionRequest, turn: ThreadTurn): AsyncGenerator<AgentSignal> {
  const found = await answerable(asked, turn)
  yield found.call
  if (found.kind === 'refused') await tell(asked, { allowed: false, reason: found.reason }, turn.peer)
}
