import type { HostAnswer, HostEvent, HostResult, Payload } from '../host/index.ts'
import type { ActReader } from './acts.ts'

export interface HookProtocol {
  readonly agent: string
  readonly title: string
  /** What is registered with the agent, in this order. */
  readonly registrations: readonly HookRegistration[]
  /**
   * @param event the agent's own name of it, as it stands in the command of the hook
   * @param environment of the hook's process: some agents tell there what their payload does not
   */
  read(
    event: string,
    payload: unknown,
    environment: Readonly<Record<string, string | undefined>>,
  ): HostReading
  /** Whatever the agent cannot express becomes what is nearest and never weaker: an `end` it does not know is a `block` or a refusal. */
  answer(event: string, answer: HostAnswer): HookReply
  sample(event: string, place: SampleContext): unknown
  /** How the agent would take a reply, ours or anybody's: what `answer` says, read from the other side. */
  effect(event: string, reply: HookReply): HookEffect
  /** The agent does not tell of calls that failed, or not of all: a proposal without an end is no riddle. */
  readonly silentFailures: boolean
  /** Of the environment of its hooks: names the project. Absent: none, and one of another agent around it means nothing. */
  readonly projectVariable?: string
  /**
   * Where hooks can be switched off: files, and folders with all that is in them, that the agent must not touch by its tools.
   * Below the project, below the home folder where they begin with `~/`, or absolute.
   */
  ownSettings(environment: Readonly<Record<string, string | undefined>>): readonly string[]
}

/**
 * `passed`: it goes on as it was. `held`: it is not allowed to stop. `refused`: the call, or the prompt, does not happen. `asked`: its
 * user decides. `ended`: the turn is over. `invalid`: it takes it for a broken hook, which all of them let pass.
 */
export type HookEffect = 'passed' | 'held' | 'refused' | 'asked' | 'ended' | 'invalid'

export interface HookRegistration {
  readonly event: string
  /** The word in the command of the hook, where one event is registered twice. Default: the event. */
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
      /** Unattended: what it is asked for is a task, not a conversation. Undefined: nobody can say. */
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
  /** What the proposed call would run. Defaults to a command that does nothing. */
  readonly script?: string
}

export type Environment = Readonly<Record<string, string | undefined>>

type Moment = 'start' | 'prompt' | 'proposal' | 'result' | 'claim' | 'failure' | 'over'

export interface HookRow extends HookRegistration {
  readonly tells: Moment
  /** Of a claim: only a part of the agent's work ends. */
  readonly ofSubagent?: true
  /** Of a result: the call has failed, whatever else is told. */
  readonly hasFailed?: true
  readonly isDeaf?: true
  readonly read?: (usual: HostEvent, fields: Payload) => HostEvent
  readonly sample?: object
}

export interface FieldNames {
  /** Default: `session_id`. */
  readonly session?: readonly string[]
  /** Default: `tool_name`. */
  readonly tool?: string
  /** Default: `tool_input`. */
  readonly args?: string
  /** Absent when the agent does not send one. */
  readonly callId?: string
  /** Of a call that has failed. Default: `error`. */
  readonly error?: string
  /** Milliseconds. Default: `duration_ms`. */
  readonly duration?: string
  /** The agent's last words. Absent when the agent does not send them. */
  readonly claim?: string
  readonly subagentClaim?: string
  /** The id and the kind of a sub-agent, each in the first field that is there. Default: `agent_id`, `agent_type`. */
  readonly subagent?: { readonly id: string; readonly types: readonly string[] }
  readonly waiting?: readonly string[]
}

export type Say = (text: string, at: { readonly event: string; readonly answer: HostAnswer }) => object

/** How something is said at one moment, and how the agent takes it. What it cannot be told is left out. */
export interface Words {
  readonly context?: Say
  readonly objection?: Say
  /** A call that needs no question to the user. Absent: the agent cannot be told. */
  readonly permission?: Say
  /** Default: as an objection. */
  readonly end?: Say
  /** Default: whatever is said, it goes on. */
  readonly effect?: (said: Payload) => HookEffect
  /** It takes a hook for a refusal that ended with this exit code. */
  readonly refusesAt?: (exitCode: number) => boolean
}

export interface HookTable extends Pick<HookProtocol, 'agent' | 'title' | 'silentFailures' | 'ownSettings'> {
  readonly projectVariable?: string
  /** In the order in which they are registered. */
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
  /** The agent says already that its stop was blocked. Default: `stop_hook_active`. */
  readonly wasBlocked?: (fields: Payload) => boolean
  /** The last words hold all that was said since the prompt. */
  readonly claimHoldsEarlier?: true
  /** True: unattended. Undefined: nobody can say. */
  readonly unattended?: (fields: Payload, environment: Environment) => boolean | undefined
  readonly sample: (place: SampleContext, event: string) => object
  readonly sampleCall: (command: string) => object
}
