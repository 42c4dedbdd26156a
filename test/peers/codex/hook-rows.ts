/** What Codex does when a hook stands in its way: one row, one run of the real program. */
import {
  codexHome,
  hookScript,
  inPlace,
  jsonLines,
  type Body,
  type ScriptedStep,
  type Step,
} from '../kit/index.ts'

export interface HookRun {
  readonly steps: readonly ScriptedStep[]
  readonly event?: 'Stop' | 'PreToolUse'
  /** Lines of shell; `$n` is the number of the invocation, `$input` its payload. */
  readonly body: string
  readonly timeoutSeconds?: number
  readonly isTrusted?: boolean
  /** Killed when the model is asked once more than so often. */
  readonly atMostCalls?: number
}

export interface HookRan {
  readonly modelCalls: number
  readonly hooks: number
  readonly exitCode: number | null
  /** The last line of its stream. */
  readonly last: string
  readonly payloads: readonly Body[]
  /** Of every model call, what it was told since its last reply. */
  readonly told: readonly string[]
  readonly stdout: string
}

export const T: Step = { text: 'Done: everything works.' }
export const blocks = `echo '{"decision":"block","reason":"the check is <red>"}'`

export async function runWithHook(run: HookRun): Promise<HookRan> {
  const stop = new AbortController()
  const limited: ScriptedStep = ({ turn }) => {
    if (turn >= (run.atMostCalls ?? Infinity)) stop.abort()
    return T
  }
  const steps = run.atMostCalls === undefined ? run.steps : [limited]
  return inPlace({ agents: ['codex'], script: { steps } }, async (place) => {
    const gate = hookScript(`${place.outside}/gate.sh`, run.body)
    await place.write(gate.path, gate.content)
    const hook = { type: 'command', command: gate.path, timeout: run.timeoutSeconds ?? 30 }
    const settings = { hooks: { [run.event ?? 'Stop']: [{ hooks: [hook] }] } }
    await place.write(`${codexHome(place.home)}/hooks.json`, JSON.stringify(settings))
    const words = run.isTrusted === false ? [] : ['--dangerously-bypass-hook-trust']
    const { exitCode, stdout } = await place.prompt('codex', 'fix', words, { signal: stop.signal })
    return {
      modelCalls: place.server.turns.length,
      hooks: gate.invocations(),
      exitCode,
      last: String(jsonLines(stdout).at(-1)?.['type']),
      payloads: gate.payloads(),
      told: place.server.turns.map(({ told }) => told),
      stdout,
    }
  })
}
