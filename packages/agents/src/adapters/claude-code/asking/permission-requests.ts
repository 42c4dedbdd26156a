/**
 * The calls of one turn, each asked for before it runs. Claude Code asks in two steps: a hook before every call, and a person
 * where its own permissions want one. A call is told with its reply, so that what the reply has used is known when it is decided;
 * the answer is kept until the hook asks for it.
 */
import type { AgentCall, AgentSignal, CallAnswer } from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { isSameAct, isSameCall, lookAgain, lookAt, type RequestContext } from './requested-action.ts'
import {
  cannotAnswer,
  hookAnswer,
  hookPass,
  permissionAnswer,
  type CallInQuestion,
  type ControlMessage,
} from './control-words.ts'
import { effectOf, isSubagent } from '../tools.ts'
import { noFurther, ranChanged, ranUnprompted, formatCall } from './unprompted-calls.ts'
import { given } from '@donecheck/engine/base'

interface KnownCall {
  call: CallInQuestion
  /** In the kit: another one when it is asked for once more. */
  name: string
  /** Told of to the kit. */
  isTold: boolean
  /** The hook that waits for the answer. */
  waiting: string | undefined
  wasAsked: boolean
  hasEnded: boolean
  /** As it was asked for, by the hook and by its permissions, and what was said to that: nothing else may run under its name. */
  cleared: JsonValue[]
  answer: CallAnswer | undefined
}

/** False: nobody listens any more. */
type Write = (line: JsonValue) => Promise<boolean>
type Permission = Extract<ControlMessage, { kind: 'permission' }>
type CallEnded = Extract<AgentSignal, { kind: 'call-ended' }>

const mendHooks =
  'Look at what it did. Then take the hook that changes calls (`updatedInput`) out of its settings, or leave those out with --setting-sources'
const mendAsking = 'Look at what it did; use a Claude Code that asks before its calls'

const goesOn = 'It was asked for once more before it ran.'

export class PermissionRequests {
  readonly #write: Write
  #place: RequestContext
  /** By the names that Claude Code gives them, until they have ended. */
  readonly #calls = new Map<string, KnownCall>()
  /** It plans only, by the word of its user. */
  #isPlanOnly = false
  /** A call has run for which no hook has asked: no answer of ours would be heard. */
  #isDeaf = false
  #asked = 0
  readonly #continuesUnprompted: boolean

  /** @param continuesUnprompted where a call ran that no hook has asked for */
  constructor(place: RequestContext, continuesUnprompted: boolean, write: Write) {
    this.#place = place
    this.#continuesUnprompted = continuesUnprompted
    this.#write = write
  }

  beginIn(permissionMode: string | undefined): void {
    this.#isPlanOnly = permissionMode === 'plan'
  }

  /** A hook waits for a call that was not told yet, because its reply is not over. */
  get isHeldBack(): boolean {
    return [...this.#calls.values()].some(({ isTold, waiting }) => !isTold && waiting !== undefined)
  }

  /** What the stream has told, and what of it is told on. */
  async *onSignal(signal: AgentSignal): AsyncGenerator<AgentSignal> {
    if (signal.kind === 'call' && signal.holdsOthers !== true && !this.#isDeaf) {
      this.#know({ ...signal, folder: undefined })
      return
    }
    if (signal.kind === 'step') yield* this.release('follows')
    if (signal.kind === 'call-ended') yield* this.#ended(signal)
    else yield signal
  }

  /** Whatever is held back. @param step what is known of its reply */
  async *release(step?: AgentCall['step']): AsyncGenerator<AgentSignal> {
    for (const known of this.#calls.values()) if (!known.isTold) yield await this.#tell(known, step)
  }

  async *onRequest(message: ControlMessage): AsyncGenerator<AgentSignal> {
    switch (message.kind) {
      case 'hook':
        yield* this.#hook(message.requestId, message.call)
        return
      case 'ran':
        yield* this.#ran(message.requestId, message.call)
        return
      case 'permission':
        yield* this.#permission(message)
        return
      case 'withdrawn':
        for (const known of this.#calls.values())
          if (known.waiting === message.requestId) known.waiting = undefined
        return
      case 'other':
        await this.#write(cannotAnswer(message.requestId, message.subtype))
        return
      case 'answered':
        return
    }
  }

  async *#hook(requestId: string, call: CallInQuestion): AsyncGenerator<AgentSignal> {
    if (call.folder !== undefined) this.#place = { ...this.#place, folder: call.folder }
    const announced = this.#calls.get(call.callId)
    // Each call of a sub-agent is asked for; that it is started is seen.
    if (announced === undefined && isSubagent(call.tool)) {
      await this.#write(hookPass(requestId))
      return
    }
    const known = announced ?? this.#know(call)
    const isSame = isSameAct(known.call, call, this.#place)
    Object.assign(known, { wasAsked: true, waiting: requestId })
    known.cleared.push(call.args)
    if (isSame && known.isTold) return this.#reply(known)
    known.call = { ...call, args: isSame ? known.call.args : call.args }
    if (known.isTold) {
      // What would run is not what was decided on.
      known.answer = undefined
      yield this.#again(known)
      yield await this.#tell(known, 'told')
    } else if (announced === undefined) yield await this.#tell(known, undefined)
  }

  async *#permission({ requestId, call, reason, needsPerson }: Permission): AsyncGenerator<AgentSignal> {
    const answer = needsPerson ? this.#withoutPerson(call) : this.#whilePlanning()
    if (answer !== undefined) {
      await this.#write(permissionAnswer(requestId, answer))
      return
    }
    const known = this.#calls.get(call.callId) ?? this.#know(call)
    if (known.isTold) yield this.#again(known)
    known.isTold = true
    known.cleared.push(call.args)
    const { summary = call.tool, ...looked } = await lookAgain(call, this.#place)
    const signal = signalOf(call, known.name)
    yield {
      ...signal,
      ...looked,
      summary: reason === undefined ? summary : `${summary} (Claude Code: ${reason})`,
      // It is more than its own permissions give, also where it only reads.
      ...(signal.effect === 'read' ? { effect: 'execute' as const } : {}),
      step: 'told',
      look: (args) => lookAgain({ ...call, args }, this.#place),
      answer: (decision) => {
        if (decision.allowed) known.cleared.push(decision.args)
        return this.#say(permissionAnswer(requestId, decision))
      },
    }
  }

  /** Hooks of somebody else work beside ours: what they make of a call after our word on it is only seen when it has run. */
  async *#ran(requestId: string, call: CallInQuestion): AsyncGenerator<AgentSignal> {
    const known = this.#calls.get(call.callId)
    const isAuthorized =
      known === undefined ||
      !known.wasAsked ||
      known.cleared.some((args) => isSameCall({ ...known.call, args }, call, this.#place))
    if (isAuthorized) {
      await this.#write(hookPass(requestId))
      return
    }
    const finding = ranChanged(known.call, call)
    yield finding
    if (!known.isTold) yield await this.#tell(known, undefined)
    const output = `It did not run: Claude Code has run ${formatCall(call)} in its place.`
    yield { kind: 'call-ended', callId: known.name, status: 'error', output }
    yield* this.#unasked(call, { status: 'ok', output: 'It has run; nobody was asked.' })
    // It waits for our word on what it has done, and is ended there.
    yield noFurther(finding, mendHooks)
  }

  /** A call of its own on the record: what ran is not what was decided on. */
  *#unasked(
    call: CallInQuestion,
    { status, output }: Pick<CallEnded, 'status' | 'output'>,
  ): Generator<AgentSignal> {
    this.#asked += 1
    const callId = `${call.callId}-not-asked-${this.#asked}`
    yield { ...signalOf(call, callId), step: 'told' }
    yield { kind: 'call-ended', callId, status, output }
  }

  #withoutPerson({ tool, args }: CallInQuestion): CallAnswer {
    if (tool !== 'ExitPlanMode')
      return {
        allowed: false,
        reason: 'This session is unattended. Decide by yourself, and say what you have assumed.',
      }
    return this.#isPlanOnly
      ? { allowed: false, reason: 'This session only plans: end your turn with the plan.' }
      : { allowed: true, args }
  }

  #whilePlanning(): CallAnswer | undefined {
    if (!this.#isPlanOnly) return undefined
    return { allowed: false, reason: 'This session only plans: nothing is changed, and nothing run.' }
  }

  #know({ callId, tool, args, folder }: CallInQuestion): KnownCall {
    const known: KnownCall = {
      call: { callId, tool, args, folder },
      name: callId,
      ...{ isTold: false, waiting: undefined, wasAsked: false, hasEnded: false, answer: undefined },
      cleared: [],
    }
    this.#calls.set(callId, known)
    return known
  }

  #again(known: KnownCall): AgentSignal {
    const callId = known.name
    this.#asked += 1
    known.name = `${known.call.callId}-asked-${this.#asked}`
    return { kind: 'call-ended', callId, status: 'interrupted', output: goesOn }
  }

  *#ended(signal: CallEnded): Generator<AgentSignal> {
    const known = this.#calls.get(signal.callId)
    if (known === undefined) {
      yield signal
      return
    }
    Object.assign(known, { waiting: undefined, hasEnded: true })
    if (known.isTold) this.#calls.delete(signal.callId)
    if (known.wasAsked || signal.status !== 'ok') yield { ...signal, callId: known.name }
    else yield* this.#endedUnasked(known, signal)
  }

  /** Its result is there, and no hook has asked for it: whatever was decided was not heard. */
  *#endedUnasked({ call, name, answer }: KnownCall, signal: CallEnded): Generator<AgentSignal> {
    this.#isDeaf = true
    const finding = ranUnprompted(call)
    yield finding
    yield { ...signal, callId: name }
    const wasRefused = answer?.allowed === false
    if (wasRefused) yield* this.#unasked(call, signal)
    const isHarmless = effectOf(call.tool) === 'read'
    if (wasRefused || !(isHarmless || this.#continuesUnprompted)) yield noFurther(finding, mendAsking)
  }

  async #tell(known: KnownCall, step: AgentCall['step']): Promise<AgentSignal> {
    known.isTold = true
    const { call, name, hasEnded } = known
    const reported = { ...signalOf(call, name), ...given({ step }) }
    if (hasEnded) {
      this.#calls.delete(call.callId)
      return reported
    }
    return {
      ...reported,
      ...(await lookAt(call, this.#place)),
      hasOwnPermissions: true,
      look: (args) => lookAt({ ...call, args }, this.#place),
      answer: async (decision) => {
        known.answer = decision
        if (decision.allowed) known.cleared.push(decision.args)
        await this.#reply(known)
      },
    }
  }

  async #reply(known: KnownCall): Promise<void> {
    const { waiting, answer, call } = known
    if (waiting === undefined || answer === undefined) return
    known.waiting = undefined
    await this.#say(hookAnswer(waiting, answer, call.args))
  }

  async #say(line: JsonValue): Promise<void> {
    if (!(await this.#write(line))) throw new Error('Claude Code does not listen any more')
  }
}

function signalOf({ tool, args }: CallInQuestion, name: string): AgentCall {
  return { kind: 'call', callId: name, tool, args, effect: effectOf(tool) }
}
