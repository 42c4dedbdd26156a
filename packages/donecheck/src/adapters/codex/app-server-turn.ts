/** One turn in a thread of `codex app-server`, from its prompt to its end. */
import { payloadOf, textIn, type AgentSignal, type TurnEnded } from '../../agents/index.ts'
import type { JsonValue } from '../../events/index.ts'
import { answerable, tell, type Asking } from './app-server-asked.ts'
import { claimTakenBack, type GoalWatch } from './app-server-goal.ts'
import type { AskedCall, Told } from './app-server-told.ts'
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
    yield ended({ failure: failureOf(message) })
    return
  }
  turn.onRunning(turnId)
  const translator = new AppServerTranslator({ threadId, turnId, folder }, goal)
  for await (const message of peer.messages()) {
    for (const told of translator.read(message)) yield* perform(told, translator, turn)
    if (translator.over !== undefined) break
  }
  turn.onRunning(undefined)
  if (translator.over === undefined) {
    const { problem } = await peer.ended
    yield ended({ problem: `codex app-server ended in the middle of its turn: ${problem}` })
    return
  }
  if (goal.isClaimed) {
    await peer.request('thread/goal/set', { threadId, status: 'paused' })
    turn.takenBack.add(threadId)
  }
  yield translator.over
}

export function ended(how: Pick<TurnEnded, 'problem' | 'failure'>): TurnEnded {
  return { kind: 'turn-ended', text: '', ...how }
}

function inputOf({ prompt, takenBack, threadId }: ThreadTurn): JsonValue {
  const texts = takenBack.delete(threadId) ? [prompt, claimTakenBack] : [prompt]
  return texts.map((text) => ({ type: 'text', text }))
}

async function* perform(
  told: Told,
  translator: AppServerTranslator,
  turn: ThreadTurn,
): AsyncGenerator<AgentSignal> {
  const { peer, threadId, records } = turn
  switch (told.kind) {
    case 'signal':
      yield told.signal
      return
    case 'asked':
      yield* ask(told, turn)
      return
    case 'step':
      yield* translator.recorded(await records.ended(told.threadId))
      yield { kind: 'step', usage: told.usage }
      return
    case 'pause-goal':
      await peer.send('thread/goal/set', { threadId, status: 'paused' })
      return
    case 'stray-turn':
      await peer.send('turn/interrupt', { threadId, turnId: told.turnId })
      return
    case 'declined': {
      const text = `That was refused: ${told.reason}`
      const { turnId } = told
      if (turnId !== undefined)
        await peer.send('turn/steer', {
          threadId: told.threadId,
          expectedTurnId: turnId,
          input: [{ type: 'text', text }],
        })
      await peer.answer(told.id, told.result)
      return
    }
    case 'unanswerable':
      await peer.cannotAnswer(told.id, told.method)
  }
}

async function* ask(asked: AskedCall, turn: ThreadTurn): AsyncGenerator<AgentSignal> {
  const found = await answerable(asked, turn)
  yield found.call
  if (found.kind === 'refused') await tell(asked, { allowed: false, reason: found.reason }, turn.peer)
}
