/** How one agent calls its hooks and reads their answers: pure translation, no file, no clock. */
import type { HostAnswer, HostEvent } from '../host/index.ts'

export interface HookProtocol {
  /** As it is typed: `claude-code`. */
  readonly agent: string
  /** For people: `Claude Code`. */
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
  /** A payload as the agent would send it, for a trial of an installed hook. `event` as it stands in the command. */
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
  /** The agent's own name, such as `Stop` or `AfterAgent`. */
  readonly event: string
  /** The word in the command of the hook, where one event is registered twice. Default: the event. */
  readonly as?: string
  /** Of the tools, in the agent's own form; absent: all. */
  readonly matcher?: string
  /** It is asked for the verification, which takes long. The others answer at once. */
  readonly verifies?: true
  /** The agent gives it no more time, whatever its settings say, and warns where they say more. */
  readonly maxSeconds?: number
}

export type HostReading =
  | {
      readonly kind: 'read'
      readonly sessionId: string
      /** Where the agent works; undefined: it does not say, and the process's own folder is meant. */
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
  /** What the proposed call would run. Default: nothing that matters. */
  readonly script?: string
}
