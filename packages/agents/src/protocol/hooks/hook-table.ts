/** What the hooks of one agent are, as a table of what differs from agent to agent. */
import type { HookEffect, HookProtocol, HookRegistration, SampleContext } from './hook-protocol.ts'
import type { HostAnswer, HostEvent, HostResult } from '../host/index.ts'
import type { ActReader } from './acts.ts'
import type { Payload } from './payload.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What an event tells of. At an end, and where a turn has failed, no agent listens. */
type Moment = 'start' | 'prompt' | 'proposal' | 'result' | 'claim' | 'failure' | 'over'

export interface HookRow extends HookRegistration {
  readonly tells: Moment
  /** Of a claim: only a part of the agent's work ends. */
  readonly ofSubagent?: true
  /** Of a result: the call has failed, whatever else is told. */
  readonly hasFailed?: true
  /** The agent does not listen, other than at its kind. */
  readonly isDeaf?: true
  /** What it means, where that is not what others of its kind do. */
  readonly read?: (usual: HostEvent, fields: Payload) => HostEvent
  /** What stands in a payload of it, beside what all of its kind have: for a trial. */
  readonly sample?: object
}

/** In which fields of a payload something stands. */
export interface FieldNames {
  /** Default: `session_id`. */
  readonly session?: readonly string[]
  /** Default: `tool_name`. */
  readonly tool?: string
  /** Default: `tool_input`. */
  readonly args?: string
  /** Absent: it tells none. */
  readonly callId?: string
  /** Of a call that has failed. Default: `error`. */
  readonly error?: string
  /** Milliseconds. Default: `duration_ms`. */
  readonly duration?: string
  /** The last words. Absent: it does not tell them. */
  readonly claim?: string
  /** Those of a sub-agent. */
  readonly subagentClaim?: string
  /** The id and the kind of a sub-agent, each in the first field that is there. Default: `agent_id`, `agent_type`. */
  readonly subagent?: { readonly id: string; readonly types: readonly string[] }
  /** Lists of what it still waits for. */
  readonly waiting?: readonly string[]
}

export type Say = (text: string, at: { readonly event: string; readonly answer: HostAnswer }) => object

/** How something is said at one moment, and how the agent takes it. What it cannot be told is left out. */
export interface Words {
  /** What the model should know. */
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
  /** Of a call that is told as done. */
  readonly result: (fields: Payload) => HostResult
  readonly answers: Readonly<Partial<Record<Moment, Words>>>
  /** For the person. */
  readonly notice?: Say
  /** Feedback reaches its model as if its user had said it. */
  readonly hasHeading?: true
  /** Where it works. Default: `cwd`. */
  readonly folder?: (fields: Payload) => string | undefined
  /** Of arguments in another form than as an object. */
  readonly parsedArguments?: (given: unknown) => unknown
  /** The agent says already that its stop was blocked. Default: `stop_hook_active`. */
  readonly wasBlocked?: (fields: Payload) => boolean
  /** The last words hold all that was said since the prompt. */
  readonly claimHoldsEarlier?: true
  /** True: unattended. Undefined: nobody can say. */
  readonly unattended?: (fields: Payload, environment: Environment) => boolean | undefined
  /** What all payloads have, and all that tell of a call. */
  readonly sample: (place: SampleContext, event: string) => object
  readonly sampleCall: (command: string) => object
}
