/** Claude Code asks with a hook before every call, and a person if its permissions require one. */
import { oneLine } from '@donecheck/core/internal/base'
import {
  configurationFailure,
  failedTurn,
  previewOf,
  type AgentCall,
  type AgentSignal,
  type CallAnswer,
  type LookedAt,
} from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import {
  cannotAnswer,
  hookAnswer,
  hookPass,
  permissionAnswer,
  type CallInQuestion,
  type ControlMessage,
} from './control-words.ts'
import { effectOf, isSubagent, tools } from '../hooks.ts'
import { given } from '@donecheck/engine/internal/base'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { actOf as actByName } from '../../../protocol/hooks/index.ts'
import type { HostAct } from '../../../protocol/host/index.ts'
import { prepareAct } from '../../../session/index.ts'

interface KnownCall {
  call: CallInQuestion
  name: string
  isTold: boolean
  waiting: string | undefined
  wasAsked: boolean
  hasEnded: boolean
  /** Approved arguments: nothing else may run under this name. */
  cleared: JsonValue[]
  answer: CallAnswer | undefined
}

type Write = (line: JsonValue) => Promise<boolean>
type Permission = Extract<ControlMessage, { kind: 'permission' }>
type CallEnded = Extract<AgentSignal, { kind: 'call-ended' }>

const mendHooks =
  'Look at what it did. Then take the hook that changes calls (`updatedInput`) out of its settings, or leave those out with --setting-sources'
const mendAsking = 'Look at what it did; use a Claude Code that asks before its calls'

export class PermissionRequests {
  readonly #write: Write
  #place: RequestContext
  readonly #calls = new Map<string, KnownCall>()
  #isPlanOnly = false
  /** A call ran without its hook, so our answers are ignored. */
  #isDeaf = false
  #asked = 0

  constructor(place: RequestContext, write: Write) {
    this.#place = place
    this.#write = write
  }

  beginIn(permissionMode: string | undefined): void {
    this.#isPlanOnly = permissionMode === 'plan'
  }

  get isHeldBack(): boolean {
    return [...this.#calls.values()].some(({ isTold, waiting }) => !isTold && waiting !== undefined)
  }

  async *onSignal(signal: AgentSignal): AsyncGenerator<AgentSignal> {
    if (signal.kind === 'call' && signal.holdsOthers !== true && !this.#isDeaf) {
      this.#know({ ...signal, folder: undefined })
      return
    }
    if (signal.kind === 'step') yield* this.release('follows')
    if (signal.kind === 'call-ended') yield* this.#ended(signal)
    else yield signal
  }

  /** Releases every blocked call. @param step what is known about its reply */
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
    // Starting a sub-agent is not asked about; each of its calls is.
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
      known.answer = undefined
      yield this.#again(known)
      yield await this.#tell(known, 'told')
    } else if (announced === undefined) yield await this.#tell(known, undefined)
  }

  async *#permission(asked: Permission): AsyncGenerator<AgentSignal> {
    const { requestId, call, reason } = asked
    const answer = this.#ownAnswer(asked)
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
      // Beyond its own permissions, even for a read.
      ...(signal.effect === 'read' ? { effect: 'execute' as const } : {}),
      step: 'told',
      look: (args) => lookAgain({ ...call, args }, this.#place),
      answer: (decision) => {
        if (decision.allowed) known.cleared.push(decision.args)
        return this.#say(permissionAnswer(requestId, decision))
      },
    }
  }

  /** Other hooks may change a call after our answer, which shows only after it ran. */
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
    const [asked, ran] = [formatCall(known.call), formatCall(call)]
    const message = `Claude Code has run ${ran}, which nobody was asked about, in the place of ${asked}`
    yield { kind: 'finding', rule: 'call_changed', message }
    if (!known.isTold) yield await this.#tell(known, undefined)
    const output = `It did not run: Claude Code has run ${ran} in its place.`
    yield { kind: 'call-ended', callId: known.name, status: 'error', output }
    yield* this.#unasked(call, { status: 'ok', output: 'It has run; nobody was asked.' })
    yield noFurther(message, mendHooks)
  }

  *#unasked(
    call: CallInQuestion,
    { status, output }: Pick<CallEnded, 'status' | 'output'>,
  ): Generator<AgentSignal> {
    this.#asked += 1
    const callId = `${call.callId}-not-asked-${this.#asked}`
    yield { ...signalOf(call, callId), step: 'told' }
    yield { kind: 'call-ended', callId, status, output }
  }

  /** Decides without the gate: no person is present, or a plan-only session may change nothing. */
  #ownAnswer({ call: { tool, args }, needsPerson }: Permission): CallAnswer | undefined {
    if (needsPerson && tool !== 'ExitPlanMode')
      return refused('This session is unattended. Decide by yourself, and say what you have assumed.')
    if (needsPerson && this.#isPlanOnly)
      return refused('This session only plans: end your turn with the plan.')
    if (needsPerson) return { allowed: true, args }
    return this.#isPlanOnly
      ? refused('This session only plans: nothing is changed, and nothing run.')
      : undefined
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
    return {
      kind: 'call-ended',
      callId,
      status: 'interrupted',
      output: 'It was asked for once more before it ran.',
    }
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

  /** A result without a hook: our decision was ignored. */
  *#endedUnasked({ call, name, answer }: KnownCall, signal: CallEnded): Generator<AgentSignal> {
    this.#isDeaf = true
    const message = `Claude Code has run ${formatCall(call)} without waiting for an answer: no rule stood before it`
    yield { kind: 'finding', rule: 'call_ran_unasked', message }
    yield { ...signal, callId: name }
    const wasRefused = answer?.allowed === false
    if (wasRefused) yield* this.#unasked(call, signal)
    if (wasRefused || effectOf(call.tool) !== 'read') yield noFurther(message, mendAsking)
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

function refused(reason: string): CallAnswer {
  return { allowed: false, reason }
}

function noFurther(message: string, hint: string): AgentSignal {
  return failedTurn(configurationFailure(`${message}. ${hint}`))
}

function formatCall({ tool, args }: CallInQuestion): string {
  return oneLine(`${tool} ${JSON.stringify(args)}`, 300)
}

function signalOf({ tool, args }: CallInQuestion, name: string): AgentCall {
  return { kind: 'call', callId: name, tool, args, effect: effectOf(tool) }
}

interface RequestContext {
  readonly workFolder: string
  readonly folder: string
  readonly ownPlaces: readonly string[]
}

/** Leaves paths outside the work folder to Claude Code and its user, as for `--add-dir`. */
async function lookAt(call: CallInQuestion, place: RequestContext): Promise<LookedAt> {
  const { callId, tool, args } = call
  const act = actOf(call, place)
  const { workFolder, ownPlaces } = place
  const prepared = await prepareAct({ callId, tool, args, act }, { workFolder, ownPlaces })
  if (prepared.kind === 'invalid') return { refusal: prepared.reason }
  const { summary, action } = prepared
  const preview = action?.kind === 'change' ? previewOf(action.files) : undefined
  return { summary, ...given({ action, preview }) }
}

/** Inspects a call that needs a person: the gate also decides changes outside the work folder. */
async function lookAgain(call: CallInQuestion, place: RequestContext): Promise<LookedAt> {
  const { action, ...looked } = await lookAt(call, place)
  if (action?.kind === 'command') return { ...looked, action }
  const act = actOf(call, place)
  if (looked.refusal !== undefined) return looked
  const isChange = act.kind === 'write' || act.kind === 'edit'
  if (!isChange || action !== undefined) return looked
  const files = [{ path: act.path, before: undefined, after: undefined }]
  return { ...looked, action: { kind: 'change', files } }
}

function isSameAct(one: CallInQuestion, other: CallInQuestion, place: RequestContext): boolean {
  return JSON.stringify(actOf(one, place)) === JSON.stringify(actOf(other, place))
}

function isSameCall(one: CallInQuestion, other: CallInQuestion, place: RequestContext): boolean {
  if (one.tool === other.tool && isDeepStrictEqual(one.args, other.args)) return true
  const { kind } = actOf(one, place)
  return kind !== 'unknown' && kind !== 'read' && isSameAct(one, other, place)
}

function actOf({ tool, args, folder }: CallInQuestion, place: RequestContext): HostAct {
  const act = actByName(tools, tool, args)
  switch (act.kind) {
    case 'command':
      return { ...act, folder: folder ?? place.folder }
    case 'write':
    case 'edit':
      return { ...act, path: pathOf(act.path, place) }
    default:
      return act
  }
}

function pathOf(path: string, { folder }: RequestContext): string {
  return resolve(folder, path.startsWith('~/') ? join(homedir(), path.slice(2)) : path)
}
