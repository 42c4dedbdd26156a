import type { HostAct, HostAnswer, HostEvent, HostResult, Payload } from '../host/index.ts'

/**
 * If a tool changes files, what cannot be read is `unreadable`, never harmless.
 * @param given the arguments as they came, which need not be an object
 */
export type ActReader = (args: Payload, given?: unknown) => HostAct

export type Environment = Readonly<Record<string, string | undefined>>

export interface HookProtocol {
  readonly agent: string
  readonly title: string
  readonly registrations: readonly HookRegistration[]
  /** @param word the event in the command of the hook @param environment of the hook's process */
  read(word: string, payload: unknown, environment: Environment): HostReading
  /** What the agent cannot express becomes what is nearest and never weaker: an `end` that it does not know is a `block` or a refusal. */
  answer(word: string, answer: HostAnswer): HookReply
  /** A payload of a hook that verifies, to try it with. */
  sample(word: string, place: SampleContext): unknown
  /** How the agent takes the reply of a hook that verifies. */
  effect(reply: HookReply): HookEffect
  /** The agent does not report all calls that failed: a proposal without an end counts as one. */
  readonly silentFailures: boolean
  /** Environment variable of its hooks that holds the project. */
  readonly projectVariable?: string
  /** Where hooks can be switched off: files and folders below the project, below `~/`, or absolute. The agent must not change them. */
  ownSettings(environment: Environment): readonly string[]
}

/**
 * `passed`: it may stop. `held`: it must go on. `refused`: its claim of a goal is rejected. `ended`: the turn is over. `invalid`: it
 * takes it for a broken hook, which all agents let pass.
 */
export type HookEffect = 'passed' | 'held' | 'refused' | 'ended' | 'invalid'

export interface HookRegistration {
  readonly event: string
  /** The word in the command of the hook if one event is registered twice. Default: the event. */
  readonly as?: string
  readonly matcher?: string
  readonly verifies?: true
  /** The agent gives it no more time, whatever its settings say, and warns where they say more. */
  readonly maxSeconds?: number
}

export type HostReading =
  | {
      readonly kind: 'read'
      readonly sessionId: string
      readonly folder?: string
      readonly event: HostEvent
      /** Nobody is there to answer. Undefined if the agent does not say. */
      readonly unattended?: boolean
    }
  /** Not what this agent sends: the hook says so loudly, and fails closed where it verifies. */
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
  /** Of a result: the call has failed, whatever else is reported. */
  readonly hasFailed?: true
  /** The agent ignores what is answered. */
  readonly isDeaf?: true
  readonly read?: (usual: HostEvent, fields: Payload) => HostEvent
  /** Fields of its payload, if it verifies. */
  readonly sample?: object
}

export interface FieldNames {
  /** Names have the defaults of Claude Code. */
  readonly session?: readonly string[]
  readonly tool?: string
  readonly args?: string
  /** Absent if the agent does not send one. */
  readonly callId?: string
  readonly error?: string
  /** Milliseconds. Default: `duration_ms`. */
  readonly duration?: string
  /** The agent's last words. Absent if it does not send them. */
  readonly claim?: string
  readonly waiting?: readonly string[]
}

export type Say = (text: string, at: { readonly event: string; readonly answer: HostAnswer }) => object

/** How something is said at one moment. What the agent cannot be told is left out. */
export interface Words {
  readonly context?: Say
  readonly objection?: Say
  /** The call needs no question to the user. */
  readonly permission?: Say
  /** Default: as an objection. */
  readonly end?: Say
}

export interface HookTable extends Pick<
  HookProtocol,
  'agent' | 'title' | 'silentFailures' | 'projectVariable' | 'ownSettings'
> {
  readonly events: readonly HookRow[]
  readonly fields: FieldNames
  /** By the names of tools; every other one may do anything. */
  readonly tools: Readonly<Record<string, ActReader>>
  readonly result: (fields: Payload) => HostResult
  readonly answers: Readonly<Partial<Record<Moment, Words>>>
  readonly notice?: Say
  /** Feedback reaches its model as if its user had said it. */
  readonly hasHeading?: true
  /** Where it works. Default: `cwd`. */
  readonly folder?: (fields: Payload) => string | undefined
  readonly parsedArguments?: (given: unknown) => unknown
  /** The agent says that its stop was blocked before. Default: `stop_hook_active`. */
  readonly wasBlocked?: (fields: Payload) => boolean
  /** The last words hold all that was said since the prompt. */
  readonly claimHoldsEarlier?: true
  /** True: nobody is there to answer. Undefined: the agent does not say. */
  readonly unattended?: (fields: Payload, environment: Environment) => boolean | undefined
  readonly sample: (place: SampleContext, event: string) => object
  /** How the agent takes what a hook that verifies has printed. */
  readonly effect: (said: Payload) => HookEffect
}
