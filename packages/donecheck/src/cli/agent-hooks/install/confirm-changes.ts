import { select } from '@clack/prompts'
import { harmless } from '@donecheck/core/internal/base'
import { UsageError } from '@donecheck/engine/internal/base'
import type { CliIo } from '../../process/io.ts'
import { createTwoFilesPatch } from 'diff'
import { existsSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeFileError, readSettingsFile, writeSettingsFile } from '../settings/settings-file.ts'
import type { Flags } from '../../options/flags.ts'

export type SettingsFlags = Flags<never, 'yes' | 'dryRun'> & { readonly scope?: 'user' | 'project' }

/** Shows the plan and asks. @returns false if nothing may be written @throws {UsageError} if a person must be asked and there is no terminal */
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
  // Inside an agent a person is always asked: the agent must not change what holds it.
  const agent = surroundingAgent(io.environment)
  if (agent === undefined && (flags.yes === true || changes.length === 0)) return true
  if (!io.stdin.isTTY || !io.stderr.isTTY) throw unattendedError(agent)
  for (;;) {
    // A select, because keys typed ahead would answer a single-letter prompt.
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

/** @returns the variable that shows which agent started this process */
export function surroundingAgent(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return agentVariables.find((name) => (environment[name] ?? '') !== '')
}

export interface FileChange {
  readonly file: string
  readonly before: string | undefined
  /** Undefined deletes the file. */
  readonly after: string | undefined
}

export function isChange({ before, after }: FileChange): boolean {
  return before !== after
}

export function diffOf(change: FileChange): string {
  if (!isChange(change)) return ''
  const { file, before, after } = change
  const [from, to] = [before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file]
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 3 }).replace(
    /^(?:Index: .*\n)?=+\n/,
    '',
  )
}

export function changeLine({ file, before, after }: FileChange): string {
  return `  ${before === undefined ? 'new' : after === undefined ? 'gone' : 'changed'}  ${file}`
}

export type ChangeFile = <Result>(file: string, act: () => Result | Promise<Result>) => Promise<Result>

interface Before {
  readonly file: string
  readonly bytes: Uint8Array | undefined
  readonly missingFolders: readonly string[]
}

/** Restores every touched file if the work fails, latest first. @throws the error of the work, with what became of the files */
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
