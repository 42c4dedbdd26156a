/** What Gemini CLI does when a hook stands before its end: one row, one run of the real program. */
import {
  hookScript,
  inPlace,
  jsonLines,
  type Body,
  type Place,
  type Running,
  type Step,
} from '../kit/index.ts'
import type { HookScript } from '../kit/index.ts'

export interface HookRun {
  readonly steps: readonly Step[]
  /** Lines of shell; `$n` is the number of the invocation. */
  readonly body?: string
  /** Instead of the script. */
  readonly command?: string
  readonly timeoutMs?: number
  readonly maxSessionTurns?: number
  /** Kills it when this resolves; absent: it ends by itself. */
  until?(running: Running, gate: HookScript): Promise<void>
}

export interface HookRan {
  readonly modelCalls: number
  readonly hooks: number
  readonly exitCode: number | null
  /** Of its own last line; undefined: there was none. */
  readonly status: unknown
  readonly denials: number
  readonly loopsDetected: number
  readonly payloads: readonly Body[]
  readonly told: readonly string[]
  readonly stdout: string
  /** Files that the hook left in the project's folder. */
  readonly hasLate: boolean
}

export const T: Step = { text: 'Done.' }
export const denies = `echo '{"decision":"deny","reason":"the check is red"}'`

export async function runWithHook(run: HookRun): Promise<HookRan> {
  return inPlace({ agents: ['gemini'], script: { steps: run.steps } }, async (place) => {
    const gate = hookScript(`${place.outside}/gate.sh`, run.body ?? '')
    await place.write(gate.path, gate.content)
    await place.write('.gemini/settings.json', JSON.stringify(settingsFor(run, gate.path)))
    const running = start(place)
    if (run.until !== undefined) {
      await run.until(running, gate)
      running.kill()
    }
    const { exitCode, stdout } = await running.ended
    const lines = jsonLines(stdout)
    const saying = (text: string) => lines.filter(({ message }) => String(message).startsWith(text)).length
    return {
      modelCalls: place.server.turns.length,
      hooks: gate.invocations(),
      exitCode,
      status: lines.findLast(({ type }) => type === 'result')?.['status'],
      denials: saying('Agent execution blocked'),
      loopsDetected: saying('Loop detected'),
      payloads: gate.payloads(),
      told: place.server.turns.map(({ told }) => told),
      stdout,
      hasLate: place.has('late'),
    }
  })
}

function start(place: Place): Running {
  const words = [
    '-p',
    'fix',
    '--output-format',
    'stream-json',
    '-m',
    'gemini-2.5-pro',
    '--approval-mode',
    'yolo',
  ]
  return place.startAgent('gemini', words)
}

function settingsFor({ command, timeoutMs, maxSessionTurns }: HookRun, path: string) {
  const hook = { type: 'command', name: 'gate', command: command ?? path, timeout: timeoutMs ?? 10_000 }
  return {
    hooksConfig: { enabled: true },
    hooks: { AfterAgent: [{ hooks: [hook] }] },
    ...(maxSessionTurns === undefined ? {} : { model: { maxSessionTurns } }),
  }
}
