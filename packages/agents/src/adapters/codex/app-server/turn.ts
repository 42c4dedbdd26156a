import { payloadOf, textIn } from '../../../protocol/host/index.ts'
import { failedTurn, type AgentSignal, type RpcCall, type RpcPeer } from '../../../protocol/stream/index.ts'
import { answerable, tell, type Asking } from './requests.ts'
import type { PermissionRequest, AppServerNews } from './items.ts'
import { pauseGoal, steer } from './thread.ts'
import { AppServerTranslator, failureOf } from '../translate.ts'

interface ThreadTurn extends Asking {
  readonly threadId: string
  readonly prompt: string
  readonly onRunning: (turnId: string | undefined) => void
}

export async function* turnIn(turn: ThreadTurn): AsyncGenerator<AgentSignal> {
  const { peer, threadId, folder } = turn
  const began = await peer.request('turn/start', { threadId, input: [{ type: 'text', text: turn.prompt }] })
  const turnId = began.kind === 'result' ? textIn(payloadOf(began.result['turn']), 'id') : undefined
  if (turnId === undefined) {
    const message = began.kind === 'error' ? began.message : 'it said nothing of the turn'
    yield failedTurn(failureOf(message))
    return
  }
  turn.onRunning(turnId)
  const translator = new AppServerTranslator({ threadId, turnId, folder })
  // What is sent to a thread at work is taken into the turn that is there.
  if (peer.waiting.some((message) => startedTurn(message) === turnId))
    yield findingOf('Codex had begun a turn by itself: it counts as the one that was asked for')
  for await (const message of peer.calls()) {
    for (const reported of translator.read(message)) yield* perform(reported, translator, turn)
    if (translator.over !== undefined) break
  }
  turn.onRunning(undefined)
  if (translator.over === undefined) {
    const { problem } = await peer.ended
    yield {
      kind: 'turn-ended',
      text: '',
      problem: `codex app-server ended in the middle of its turn: ${problem}`,
    }
    return
  }
  yield* comeToRest(turn, translator)
  yield translator.over
}

/** The goal begins nothing from here on; what it has begun at the end of the turn is interrupted, and told with the turn. */
async function* comeToRest(turn: ThreadTurn, translator: AppServerTranslator): AsyncGenerator<AgentSignal> {
  const { peer, threadId } = turn
  await pauseGoal(peer, threadId)
  const isAtWork = await isActive(peer, threadId)
  // Those that were told before the answer may speak of the turn that is over.
  let early = peer.waiting.length
  if (early === 0 && !isAtWork) return
  for await (const message of peer.calls()) {
    for (const reported of translator.read(message)) yield* perform(reported, translator, turn)
    early -= 1
    if (isAtWork ? early < 0 && endsWork(message, threadId) : early === 0) return
  }
}

async function isActive(peer: RpcPeer, threadId: string): Promise<boolean> {
  const read = await peer.request('thread/read', { threadId })
  const thread = read.kind === 'result' ? payloadOf(read.result['thread']) : undefined
  return textIn(payloadOf(thread?.['status']), 'type') === 'active'
}

function endsWork(message: RpcCall, threadId: string): boolean {
  const { method, params } = message
  if (textIn(params, 'threadId') !== threadId) return false
  if (method === 'turn/completed') return true
  return method === 'thread/status/changed' && textIn(payloadOf(params['status']), 'type') !== 'active'
}

function startedTurn({ method, params }: RpcCall): string | undefined {
  return method === 'turn/started' ? textIn(payloadOf(params['turn']), 'id') : undefined
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
      yield findingOf('a goal in Codex was active: it is paused, as Codex would go on with it by itself')
      await peer.send('thread/goal/set', { threadId, status: 'paused' })
      return
    case 'stray-turn':
      yield findingOf('Codex began a turn by itself: it is interrupted')
      await peer.send('turn/interrupt', { threadId, turnId: reported.turnId })
      return
    case 'declined': {
      const { turnId, reason } = reported
      if (turnId !== undefined) await steer(peer, reported.threadId, turnId, `That was refused: ${reason}`)
      await peer.answer(reported.id, reported.result)
      return
    }
    case 'unanswerable':
      await peer.cannotAnswer(reported.id, reported.method)
  }
}

async function* ask(asked: PermissionRequest, turn: ThreadTurn): AsyncGenerator<AgentSignal> {
  const { call, refusal } = await answerable(asked, turn)
  yield call
  if (refusal !== undefined) await tell(asked, { allowed: false, reason: refusal }, turn.peer)
}

function findingOf(message: string): AgentSignal {
  return { kind: 'finding', rule: 'codex-goal', message }
}
