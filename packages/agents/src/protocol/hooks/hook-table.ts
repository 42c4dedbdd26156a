import type { HostAct, HostAnswer, HostEvent, HostResult, Payload } from '../host/index.ts'

/** Unreadable arguments of a file tool are `unreadable`, never harmless. @param given as received */
export type ActReader = (args: Payload, given?: unknown) => HostAct

export type Environment = Readonly<Record<string, string | undefined>>

export interface HookProtocol {
  readonly agent: string
  readonly title: string
  readonly registrations: readonly HookRegistration[]
  /** @param word the event in the hook's command @param environment of the hook's process */
  read(word: string, payload: unknown, environment: Environment): HostReading
  /** An unsupported answer becomes the nearest that is not weaker: `end` becomes a `block` or refusal. */
  answer(word: string, answer: HostAnswer): HookReply
  /** A sample payload of a verifying hook. */
  sample(word: string, place: SampleContext): unknown
  effect(reply: HookReply): HookEffect
  /** The agent does not report every failed call, so a proposal without an end counts as one. */
  readonly silentFailures: boolean
  /** The environment variable of its hooks with the project's path. */
  readonly projectVariable?: string
  /** Where hooks can be disabled: below the project, `~/`, or absolute. The agent must not edit them. */
  ownSettings(environment: Environment): readonly string[]
}

/** `held`: it must continue. `refused`: its goal claim fails. `invalid`: agents ignore the broken hook. */
export type HookEffect = 'passed' | 'held' | 'refused' | 'ended' | 'invalid'

export interface HookRegistration {
  readonly event: string
  /** The event name in the hook's command if an event is registered twice. Default: the event. */
  readonly as?: string
  readonly matcher?: string
  readonly verifies?: true
  /** The agent's maximum, whatever its settings say; it warns above that. */
  readonly maxSeconds?: number
}

export type HostReading =
  | {
      readonly kind: 'read'
      readonly sessionId: string
      readonly folder?: string
      readonly event: HostEvent
      /** No person can answer; undefined if unknown. */
      readonly unattended?: boolean
    }
  /** Not what this agent sends: the hook reports it and fails closed if it verifies. */
  | { readonly kind: 'unreadable'; readonly problem: string }

export interface HookReply {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface SampleContext {
  readonly sessionId: string
  readonly folder: string
}

type Moment = 'start' | 'prompt' | 'proposal' | 'result' | 'claim' | 'failure' | 'over'

export interface HookRow extends HookRegistration {
  readonly tells: Moment
  /** The call failed, whatever else the result says. */
  readonly hasFailed?: true
  /** The agent ignores the answer. */
  readonly isDeaf?: true
  readonly read?: (usual: HostEvent, fields: Payload) => HostEvent
  readonly sample?: object
}

export interface FieldNames {
  /** Field names default to those of Claude Code. */
  readonly session?: readonly string[]
  readonly tool?: string
  readonly args?: string
  readonly callId?: string
  readonly error?: string
  /** In milliseconds. Default: `duration_ms`. */
  readonly duration?: string
  readonly claim?: string
  readonly waiting?: readonly string[]
}

export type Say = (text: string, at: { readonly event: string; readonly answer: HostAnswer }) => object

/** Answers at one event. Unsupported ones are left out. */
export interface Words {
  readonly context?: Say
  readonly objection?: Say
  readonly permission?: Say
  readonly end?: Say
}

export interface HookTable extends Pick<
  HookProtocol,
  'agent' | 'title' | 'silentFailures' | 'projectVariable' | 'ownSettings'
> {
  readonly events: readonly HookRow[]
  readonly fields: FieldNames
  /** By tool name; unlisted tools may do anything. */
  readonly tools: Readonly<Record<string, ActReader>>
  readonly result: (fields: Payload) => HostResult
  readonly answers: Readonly<Partial<Record<Moment, Words>>>
  readonly notice?: Say
  /** Its model sees feedback as a user message. */
  readonly hasHeading?: true
  /** The agent's folder. Default: `cwd`. */
  readonly folder?: (fields: Payload) => string | undefined
  readonly parsedArguments?: (given: unknown) => unknown
  /** Whether its stop was blocked before. Default: `stop_hook_active`. */
  readonly wasBlocked?: (fields: Payload) => boolean
  /** The last message contains everything since the prompt. */
  readonly claimHoldsEarlier?: true
  /** Whether no person can answer; undefined if unknown. */
  readonly unattended?: (fields: Payload, environment: Environment) => boolean | undefined
  readonly sample: (place: SampleContext, event: string) => object
  /** How the agent interprets the output of a verifying hook. */
  readonly effect: (said: Payload) => HookEffect
}
