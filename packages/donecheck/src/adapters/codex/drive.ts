import { realpathSync } from 'node:fs'
import { streamedDrive } from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import type { Drive } from '../../ports.ts'
import { inheritedEnvironment } from '../../process/index.ts'
import { appServerTurns } from './app-server.ts'
import { isConfined, readAppServerWords } from './app-server-words.ts'
import { execTurns } from './exec.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'

export interface CodexDriveOptions {
  readonly folder: string
  /** All of the agent's environment. Default: that of this process without variables named `DONECHECK_…`. */
  readonly environment?: Readonly<Record<string, string>>
  /** What follows `codex`: options of Codex, which win over what we would choose. `exec` or `app-server` first chooses the way. */
  readonly words?: readonly string[]
  /** Of one turn. Null: no bound. */
  readonly timeoutMs: number | null
}

const codexDriveKeys: OptionKeys<CodexDriveOptions> = {
  folder: 'needed',
  environment: true,
  words: true,
  timeoutMs: 'needed',
}

/**
 * Codex as an outer loop, each turn a process of its own in one thread. Two ways:
 *
 * - `codex app-server`, the default: Codex asks before every command and change, and our gate answers; what each reply of the
 *   model has used is known while the turn goes on, so that caps hold within it; a turn is interrupted in order; and goals are
 *   seen, which Codex would otherwise pursue by itself without an end and call complete without a check. It dies with us.
 * - `codex exec`, by that word, and where a Codex has no app-server: it asks nobody, and tells what was used at the end of a
 *   turn alone.
 *
 * @throws {UsageError} for words that the way cannot take, and a bound that can never work
 */
export function codexDrive(options: CodexDriveOptions): Drive {
  assertKnownKeys(options, codexDriveKeys, 'codexDrive')
  const { timeoutMs, words = [] } = options
  const folder = realFolder(options.folder)
  const environment = options.environment ?? inheritedEnvironment()
  const [way, ...rest] = words
  if (way === 'exec' || way === 'e')
    return streamedDrive({
      description: describe('codex exec'),
      tellsSteps: false,
      timeoutMs,
      startTurn: execTurns({ folder, environment, words: checkedExecWords(rest) }),
    })
  const isChosen = way === 'app-server'
  const told = isChosen ? rest : words
  const choices = readAppServerWords(told)
  const startTurn = appServerTurns({
    ...{ folder, environment, choices },
    ...(isChosen ? {} : { otherwise: execTurns({ folder, environment, words: execWordsOf(told) }) }),
  })
  const drive = streamedDrive({ description: describe('codex'), tellsSteps: true, timeoutMs, startTurn })
  if (drive.own === undefined) return drive
  return { ...drive, own: { ...drive.own, sandbox: { isConfined: isConfined(choices) } } }
}

function describe(name: string) {
  return {
    name,
    reportsUsage: true,
    prices: null,
    maxOutputTokens: 32_000,
    contextWindowTokens: 258_400,
  }
}

/** Codex names files by their real place. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

const ofOurs = [
  'resume',
  'fork',
  'review',
  'help',
  '-h',
  '--help',
  '-V',
  '--version',
  '-o',
  '--output-last-message',
]

function checkedExecWords(words: readonly string[]): readonly string[] {
  const taken = words.find((word) => ofOurs.includes(word))
  if (taken === undefined) return words
  throw new UsageError(`"codex exec ${taken}" begins no turn of a run; leave "${taken}" out`)
}

/** `exec` has no option for the approval policy. */
function execWordsOf(words: readonly string[]): readonly string[] {
  const place = words.findIndex((word) => /^(?:-a|--ask-for-approval)(?:=|$)/.test(word))
  if (place === -1) return words
  return words.toSpliced(place, words[place]?.includes('=') === true ? 1 : 2)
}
