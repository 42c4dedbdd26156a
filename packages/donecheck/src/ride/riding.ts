/** One session of a host, event by event: find out where its run stands, take the event up, say what the host is to do. */
import type { HostAnswer, HostCall, HostEvent, HostStop } from '../agents/index.ts'
import { RunHeldError } from '../errors.ts'
import type { RunState, StopTransition } from '../events/index.ts'
import { endOf, letGo, pass } from './answers.ts'
import { baselineNotice, type EarlierRun } from './baseline.ts'
import { begin } from './begin.ts'
import { boundedEvent } from './bounded-event.ts'
import { Standing } from './standing.ts'
import { onFailure, onSessionEnd } from './on-end.ts'
import { onProposal } from './on-proposal.ts'
import { onReply, onResult, settleOpen } from './on-result.ts'
import { isChangedSince, onStop } from './on-stop.ts'
import type { RideParts } from './parts.ts'
import { recall } from './recall.ts'
import { remember, type Place } from './place.ts'
import { waits } from './waits.ts'
import type { Ride } from './ride.ts'

/**
 * Somebody else wrote meanwhile: the event is taken up anew, on the state as it is then. Of those that try at once one gets through
 * each time, so that this is more than an agent has calls under way.
 */
const mostTries = 1000

/** A ride of parts that somebody has chosen. */
export function rideOver(parts: RideParts): Ride {
  return new Riding(parts)
}

class Riding implements Ride {
  readonly #standing: Standing
  #queue: Promise<unknown> = Promise.resolve()

  constructor(parts: RideParts) {
    this.#standing = new Standing(parts)
  }

  get state(): RunState | undefined {
    return this.#standing.state
  }

  get end(): StopTransition | undefined {
    const { state } = this
    return state === undefined ? undefined : endOf(state)
  }

  observe(event: HostEvent, signal: AbortSignal = new AbortController().signal): Promise<HostAnswer> {
    const bounded = boundedEvent(event)
    const answer = this.#queue.then(() => this.#retried(bounded, signal))
    this.#queue = answer.catch(() => undefined)
    return answer
  }

  async #retried(event: HostEvent, signal: AbortSignal): Promise<HostAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await takeUp(event, this.#standing, signal)
      } catch (error) {
        this.#standing.forget()
        if (!(error instanceof RunHeldError) || attempt >= mostTries || signal.aborted) throw error
        await this.#standing.pause(attempt, signal)
      }
    }
  }
}

async function takeUp(event: HostEvent, standing: Standing, signal: AbortSignal): Promise<HostAnswer> {
  switch (event.kind) {
    case 'prompted':
      return prompted(event.prompt, standing, signal)
    case 'session-started':
      return standing.within(signal, (place) => recall(place), pass)
    case 'tool-proposed':
      await begun(standing, signal)
      return standing.within(signal, (place) => worked(event.call, place, onProposal), pass)
    case 'tool-finished':
      await begun(standing, signal)
      return standing.within(
        signal,
        (place) => worked(event.call, place, (call) => onResult(call, event.result, place)),
        pass,
      )
    case 'replied':
      await begun(standing, signal)
      return standing.within(signal, (place) => onReply(event, place), pass)
    case 'stopping':
      return stopping(event, standing, signal)
    case 'turn-failed':
      return standing.within(signal, (place) => onFailure(event.message, place), pass)
    case 'session-ended':
      return standing.within(signal, (place) => onSessionEnd(place), pass)
    case 'irrelevant':
      return pass
  }
}

/** A prompt while the agent is at work belongs to what it is at; otherwise it begins something new. */
async function prompted(prompt: string, standing: Standing, signal: AbortSignal): Promise<HostAnswer> {
  // It may come while another process still checks what was claimed before: only then is it known what it belongs to.
  await standing.rest(signal)
  if (await standing.isOpen()) await standing.within(signal, settled, pass)
  if (await standing.isOpen()) return pass
  const said: { notice?: string } = {}
  await standing.start(signal, async (place, before) => {
    await begin({ prompt, ...earlier(before) }, place)
    const notice =
      place.memory.baselineRunId === null ? undefined : baselineNotice(before, place.session.state)
    if (notice !== undefined) said.notice = notice
  })
  return { ...pass, ...said }
}

async function settled(place: Place): Promise<HostAnswer> {
  remember(place, { waits: 0, waitsFor: [] })
  await settleOpen(place)
  return pass
}

/** The host tells of work whose prompt nobody has seen. */
async function begun(standing: Standing, signal: AbortSignal): Promise<void> {
  if (await standing.isKnown()) return
  await standing.start(
    signal,
    (place, before) => begin({ prompt: undefined, ...earlier(before) }, place),
    async () => !(await standing.isKnown()),
  )
}

async function stopping(stop: HostStop, standing: Standing, signal: AbortSignal): Promise<HostAnswer> {
  if (stop.subagent !== undefined) return pass
  await begun(standing, signal)
  const waiting = await waits(stop, standing, signal)
  if (waiting !== undefined) return waiting
  const found = { isChanged: false }
  const answer = await standing.held(signal, async (place, hasWaited) => {
    const end = endOf(place.session.state)
    if (end === undefined) return onStop(stop, place)
    found.isChanged =
      end.outcome === 'verified' && (stop.tellsNoWork === true || (await isChangedSince(place, hasWaited)))
    return letGo(end)
  })
  if (!found.isChanged) return answer
  // What was verified is not what stands there now.
  await standing.start(signal, (place, before) =>
    begin({ prompt: before?.state.task, ...earlier(before, true) }, place),
  )
  return standing.held(signal, (place) => onStop(stop, place))
}

/** A run that is over hears of no work: that there was some is remembered for the next one. */
async function worked(
  call: HostCall,
  place: Place,
  takeUpCall: (call: HostCall, place: Place) => Promise<HostAnswer>,
): Promise<HostAnswer> {
  const isAfterEnd = endOf(place.session.state) !== undefined
  if (place.memory.waitsFor.length > 0) remember(place, { waitsFor: [] })
  const answer = await takeUpCall(call, place)
  if (isAfterEnd && call.act.kind !== 'read' && answer.kind === 'pass' && !place.memory.workedAfterEnd)
    remember(place, { workedAfterEnd: true })
  return answer
}

function earlier(before: EarlierRun | undefined, isGoneOnWith?: true): { readonly before?: EarlierRun } {
  if (before === undefined) return {}
  return { before: isGoneOnWith === true ? { ...before, isGoneOnWith } : before }
}
