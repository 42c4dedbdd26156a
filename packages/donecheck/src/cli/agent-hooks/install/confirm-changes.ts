/** A plan is shown, and a person says yes to it. */
import { select } from '@clack/prompts'
import { harmless } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { createTwoFilesPatch } from 'diff'
import { existsSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeFileError, readSettingsFile, writeSettingsFile } from '../settings/settings-file.ts'

export interface SettingsFlags {
  readonly scope?: 'user' | 'project'
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/**
 * False: nothing may be written. A diff is shown to whoever asks for it: most lines of settings are long, and alike.
 * @throws {UsageError} where somebody would have to be asked, and nobody can be
 */
export async function confirmChanges(
  all: readonly FileChange[],
  flags: SettingsFlags,
  io: CliIo,
  question = 'Change these files?',
): Promise<boolean> {
  const changes = all.filter(isChange)
  const diff = () => harmless(changes.map(diffOf).join(''))
  for (const change of changes) io.stdout.write(`${harmless(changeLine(change))}\n`)
  if (flags.dryRun === true) {
    io.stdout.write(diff())
    return false
  }
  // Within an agent a person is asked even where nothing would change: what holds it is not for it to say.
  const agent = surroundingAgent(io.environment)
  if (agent === undefined && (flags.yes === true || changes.length === 0)) return true
  if (!io.stdin.isTTY || !io.stderr.isTTY) throw unattendedError(agent)
  for (;;) {
    // A letter alone decides nothing: what is typed ahead would be taken for an answer.
    const answer = await select({
      message: harmless(question),
      options: [
        { value: 'n', label: 'no, change nothing' },
        { value: 'y', label: 'yes' },
        { value: 'd', label: 'show every line first' },
      ],
      ...{ initialValue: 'n', input: io.stdin, output: io.stderr },
    })
    if (answer !== 'd') return answer === 'y'
    io.stdout.write(diff())
  }
}

function unattendedError(agent: string | undefined): UsageError {
  return new UsageError(
    agent === undefined
      ? 'nobody can be asked whether to change these files: say so with --yes, or see every line with --dry-run'
      : `this was started by an agent (${agent} is set), and what holds it is for a person to change: type it in a terminal of your own`,
  )
}

const agentVariables = [
  ...['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'GEMINI_CLI'],
  ...['QWEN_CODE', 'COPILOT_CLI', 'CURSOR_AGENT', 'OPENCODE'],
]

/** The variable by which the agent that started this very command is known; undefined: none is seen. */
export function surroundingAgent(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return agentVariables.find((name) => (environment[name] ?? '') !== '')
}

/** One file of another program, as it is and as it is to be. */
export interface FileChange {
  readonly file: string
  readonly before: string | undefined
  /** Undefined: it goes. */
  readonly after: string | undefined
}

export function isChange({ before, after }: FileChange): boolean {
  return before !== after
}

/** For people, as git shows it; nothing for a file that stays as it is. */
export function diffOf(change: FileChange): string {
  if (!isChange(change)) return ''
  const { file, before, after } = change
  const [from, to] = [before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file]
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 3 }).replace(
    /^(?:Index: .*\n)?=+\n/,
    '',
  )
}

/** In a word each: what is new, what goes, what changes. */
export function changeLine({ file, before, after }: FileChange): string {
  return `  ${before === undefined ? 'new' : after === undefined ? 'gone' : 'changed'}  ${file}`
}

/** Every change of a file goes through it. */
export type ChangeFile = <Result>(file: string, act: () => Result | Promise<Result>) => Promise<Result>

interface Before {
  readonly file: string
  /** Undefined: there was none. */
  readonly bytes: Uint8Array | undefined
  /** The innermost first. */
  readonly missingFolders: readonly string[]
}

/**
 * Where the work fails in the middle, what it has touched is put back, the latest first, and folders that it has made go.
 * @throws what the work throws, with a word of what became of the files
 */
export async function changeTogether(work: (touch: ChangeFile) => Promise<void>): Promise<void> {
  const touched: Before[] = []
  try {
    await work(async (file, act) => {
      touched.push(await remember(file))
      try {
        return await act()
      } catch (error) {
        throw describeFileError(file, 'changed', error)
      }
    })
  } catch (error) {
    const lost = await restoreAll(touched.toReversed())
    if (!(error instanceof UsageError)) throw error
    const end = lost.length === 0 ? 'nothing was changed' : `could not be put back: ${lost.join(', ')}`
    throw new UsageError(`${error.message.replace(/; nothing was changed$/u, '')}; ${end}`, { cause: error })
  }
}

async function remember(file: string): Promise<Before> {
  const { bytes } = await readSettingsFile(file)
  const missingFolders: string[] = []
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) missingFolders.push(folder)
  return { file, bytes, missingFolders }
}

/** @returns what could not be put back */
async function restoreAll(before: readonly Before[]): Promise<readonly string[]> {
  const lost: string[] = []
  for (const one of before) if (!(await restore(one))) lost.push(one.file)
  return lost
}

async function restore({ file, bytes, missingFolders }: Before): Promise<boolean> {
  try {
    const now = await readSettingsFile(file)
    if (bytes === undefined) {
      await rm(file, { force: true })
      for (const folder of missingFolders) await rmdir(folder).catch(() => undefined)
    } else if (now.bytes?.equals(bytes) !== true) await writeSettingsFile(file, bytes)
    return true
  } catch {
    return false
  }
}
