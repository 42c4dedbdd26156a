/** A policy file for Gemini CLI that allows the run's own checks, each exactly as it is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The rules as TOML. Gemini CLI matches the JSON text of the arguments, and asks about each part of a pipeline again. It
 * refuses expressions with a quantifier behind a group, so each form of a line has a rule of its own. They rank below every
 * rule of the user: what the user denies stays denied.
 */
export function checkPolicy(checks: readonly string[], folder: string): string {
  const changeFolder = `cd ${inJson(folder)}`
  const check = `(?:${checks.map((line) => inJson(line.trim())).join('|')})`
  const pipe = String.raw` \| ${reader}`
  const lines = ['', `${changeFolder} && `].flatMap((start) =>
    ['', ' 2>&1'].flatMap((merge) =>
      ['', pipe, pipe + pipe].map((readers) => `${start}${check}${merge}${readers}`),
    ),
  )
  return [...lines, reader, changeFolder].map(allowing).join('\n\n')
}

const reader = String.raw`(?:head|tail)[-nc \d]*`

/** The command line ends there, and runs in no other folder. */
function allowing(pattern: string): string {
  return [
    '[[rule]]',
    'toolName = "run_shell_command"',
    `commandRegex = ${JSON.stringify(`${pattern}"(?!.*"dir_path":)`)}`,
    'decision = "allow"',
    'priority = 1',
    'allowRedirection = true',
  ].join('\n')
}

/** The text as part of a JSON string, for a regular expression. */
function inJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
}

/** @returns the words for its command line; the file is gone with this process */
export function checkPolicyWords(checks: readonly string[], folder: string): readonly string[] {
  if (checks.length === 0) return []
  const place = mkdtempSync(join(tmpdir(), 'donecheck-gemini-'))
  process.once('exit', () => rmSync(place, { recursive: true, force: true }))
  const file = join(place, 'own-checks.toml')
  writeFileSync(file, `${checkPolicy(checks, folder)}\n`, { mode: 0o600 })
  return ['--policy', file]
}
