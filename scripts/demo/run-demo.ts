/** Runs the built command on a small broken project, with a scripted agent, in a pseudo-terminal. */
import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const columns = 88
const rows = 200

/** The command line that the recording shows; `my-agent` is the script below. */
export const typedCommand = 'donecheck run --agent my-agent "Fix the failing test."'

const project = {
  'package.json':
    '{ "name": "cart", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/cart.js':
    'export function total(prices) {\n  return prices.reduce((sum, price) => sum - price, 0)\n}\n',
  'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('adds the prices', () => {
  assert.equal(total([1, 2]), 3)
})

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})
`,
} as const

/** Claims to be done without doing anything, then edits the test, then fixes the bug. */
const agent = `#!/bin/sh
echo x >> "$HOME/turns"
case $(wc -l < "$HOME/turns" | tr -d ' ') in
  1)
    echo 'All tests pass. The task is done.' ;;
  2)
    sed 's/), 3)/), -3)/' test/cart.test.js > "$HOME/new" && cat "$HOME/new" > test/cart.test.js
    echo 'I corrected the expected value. All tests pass.' ;;
  *)
    sed 's/), -3)/), 3)/' test/cart.test.js > "$HOME/new" && cat "$HOME/new" > test/cart.test.js
    sed 's/sum - price/sum + price/' src/cart.js > "$HOME/new" && cat "$HOME/new" > src/cart.js
    echo 'I put the test back and fixed the sign in src/cart.js.' ;;
esac
`

const program = path.join(import.meta.dirname, '../../packages/donecheck/bin/donecheck.js')

export interface Style {
  readonly color: 'plain' | 'red' | 'green' | 'yellow' | 'blue'
  readonly isBold: boolean
  readonly isDim: boolean
}

/** Text of one style. The segments of a row make up the whole row, spaces included. */
export interface Segment extends Style {
  readonly text: string
}

export type Row = readonly Segment[]

/** @returns the rows that the terminal shows when the command has ended, without the command line itself */
export async function runDemo(): Promise<readonly Row[]> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'donecheck-demo-')))
  try {
    const folder = path.join(root, 'cart')
    const home = path.join(root, 'home')
    const bin = path.join(root, 'bin')
    mkdirSync(home)
    for (const [name, text] of Object.entries(project)) writeText(path.join(folder, name), text)
    writeText(path.join(bin, 'my-agent'), agent)
    chmodSync(path.join(bin, 'my-agent'), 0o755)
    commitAll(folder)
    // The folder of this Node.js comes first, so that npm and the tests run on the same version.
    const search = [bin, path.dirname(process.execPath), process.env['PATH'] ?? ''].join(path.delimiter)
    const terminal = await runInTerminal(folder, { HOME: home, PATH: search, TERM: 'xterm-256color' })
    return readRows(terminal).map((row) =>
      row.map((segment) => ({ ...segment, text: segment.text.replaceAll(root, '/home/you') })),
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function writeText(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function commitAll(folder: string): void {
  const author = ['-c', 'user.name=you', '-c', 'user.email=you@example.invalid']
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '--message', 'A cart'],
  ])
    execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
}

/** @throws {Error} if the command does not end with exit code 0 */
async function runInTerminal(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<headless.Terminal> {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true })
  const args = [program, 'run', '--agent', 'my-agent', 'Fix the failing test.']
  const child = spawn(process.execPath, args, { cols: columns, rows, cwd: folder, env: { ...env } })
  child.onData((data) => terminal.write(data))
  const exitCode = await new Promise<number>((resolve) => {
    child.onExit((exit) => resolve(exit.exitCode))
  })
  // Resolves when the terminal has parsed all that was written before.
  await new Promise<void>((resolve) => terminal.write('', resolve))
  if (exitCode !== 0)
    throw new Error(`The demo ended with exit code ${exitCode}:\n${formatRows(readRows(terminal))}`)
  return terminal
}

export function formatRows(shown: readonly Row[]): string {
  return shown.map((row) => row.map(({ text }) => text).join('')).join('\n')
}

function readRows(terminal: headless.Terminal): readonly Row[] {
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, index) => readRow(active.getLine(index)))
  const last = lines.findLastIndex((row) => row.length > 0)
  return lines.slice(0, last + 1)
}

function readRow(line: headless.IBufferLine | undefined): Row {
  const row: Segment[] = []
  const length = line?.translateToString(true).length ?? 0
  for (let column = 0; column < length; column += 1) {
    const cell = line?.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const style = readStyle(cell)
    const text = cell.getChars() === '' ? ' ' : cell.getChars()
    const previous = row.at(-1)
    if (previous !== undefined && isSameStyle(previous, style))
      row[row.length - 1] = { ...previous, text: previous.text + text }
    else row.push({ ...style, text })
  }
  return row
}

const colors = new Map([
  [1, 'red'],
  [2, 'green'],
  [3, 'yellow'],
  [4, 'blue'],
  [6, 'blue'],
] as const)

function readStyle(cell: headless.IBufferCell): Style {
  const index = cell.isFgPalette() ? cell.getFgColor() % 8 : 0
  const color = [...colors].find(([number]) => number === index)?.[1] ?? 'plain'
  return { color, isBold: cell.isBold() !== 0, isDim: cell.isDim() !== 0 || cell.getFgColor() === 8 }
}

function isSameStyle(one: Style, other: Style): boolean {
  return one.color === other.color && one.isBold === other.isBold && one.isDim === other.isDim
}
