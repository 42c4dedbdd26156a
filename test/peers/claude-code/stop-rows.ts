/** What Claude Code does when a Stop hook, a judge or a schema stands in its way: one row, one run of the real program. */
import { hookScript, inPlace, jsonLines, works, type Script, type Step } from '../kit/index.ts'

export interface Row {
  readonly title: string
  readonly script: Script
  readonly hook?: Hook
  readonly prompt?: string
  readonly words?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly sees: Seen
}

export type Hook =
  /** A script outside of the project; `$n` is the number of its invocation. */
  | {
      readonly kind: 'command'
      readonly body: string
      readonly timeoutSeconds?: number
      readonly inProject?: true
    }
  | { readonly kind: 'other'; readonly settings: Readonly<Record<string, unknown>> }

/** `undefined` and absent are the same. */
export interface Seen {
  readonly modelCalls: number
  /** Requests without tools. */
  readonly judgeCalls?: number
  /** How often Stop hooks were started. */
  readonly stops: number
  readonly numTurns: number
  readonly exitCode: number
  readonly subtype: string
  readonly terminal?: string | undefined
  readonly isError: boolean
  readonly result?: string | undefined
  readonly structured?: unknown
}

export const T: Step = { text: 'Done: everything works.' }
export const X: Step = works('claude')
export const blocks = `echo '{"decision":"block","reason":"the check is red"}'`

export async function run({
  script,
  hook,
  prompt,
  words,
  environment,
}: Omit<Row, 'sees' | 'title'>): Promise<Seen> {
  return inPlace({ agents: ['claude'], script, ...(environment ? { environment } : {}) }, async (place) => {
    const file = `${hook?.kind === 'command' && hook.inProject ? place.project : place.outside}/gate.sh`
    const gate = hookScript(file, hook?.kind === 'command' ? hook.body : '')
    await place.write(gate.path, gate.content)
    await place.write(`${place.outside}/settings.json`, JSON.stringify(settingsFor(hook, gate.path)))
    const own = [
      '--settings',
      `${place.outside}/settings.json`,
      '--setting-sources',
      '',
      '--include-hook-events',
    ]
    const ended = await place.prompt('claude', prompt ?? 'fix the bug', [...own, ...(words ?? [])])
    const lines = jsonLines(ended.stdout)
    const result = lines.findLast(({ type }) => type === 'result') ?? {}
    const stops = lines.filter(
      (line) => line['subtype'] === 'hook_started' && line['hook_event'] === 'Stop',
    ).length
    return {
      modelCalls: place.server.turns.length,
      ...(script.sideSteps === undefined ? {} : { judgeCalls: place.server.sideTurns.length }),
      stops,
      numTurns: Number(result['num_turns']),
      exitCode: ended.exitCode ?? -1,
      subtype: String(result['subtype']),
      terminal: textOr(result['terminal_reason']),
      isError: result['is_error'] === true,
      result: textOr(result['result']),
      structured: result['structured_output'],
    }
  })
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function settingsFor(hook: Hook | undefined, path: string) {
  if (hook === undefined) return {}
  const own =
    hook.kind === 'command'
      ? { type: 'command', command: path, timeout: hook.timeoutSeconds ?? 30 }
      : hook.settings
  return { hooks: { Stop: [{ hooks: [own] }] } }
}
