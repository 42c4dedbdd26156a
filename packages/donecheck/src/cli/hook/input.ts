import { Buffer } from 'node:buffer'
import { readSync, fstatSync } from 'node:fs'
import type { HookReply } from '@donecheck/agents/internal/protocol/hooks'

const maxBytes = 32 * 1024 * 1024

export type HookInput =
  | { readonly kind: 'payload'; readonly payload: unknown }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** Skips a byte order mark. */
export function readHookInput(descriptor = 0): HookInput {
  const bytes = bytesOf(descriptor)
  if (bytes === undefined) return { kind: 'unreadable', problem: `its input has more than ${maxBytes} bytes` }
  const text = bytes.toString('utf8').replace(/^\u{feff}/u, '')
  try {
    return { kind: 'payload', payload: JSON.parse(text) }
  } catch {
    // Quotes nothing: the input may contain secrets.
    return { kind: 'unreadable', problem: `its input of ${bytes.length} bytes is no JSON` }
  }
}

/** @returns undefined if the input is too long */
function bytesOf(descriptor: number): Buffer | undefined {
  const pieces: Buffer[] = []
  let total = 0
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024)
    const count = readPiece(descriptor, piece)
    if (count === 0) return Buffer.concat(pieces)
    total += count
    if (total > maxBytes) return undefined
    pieces.push(piece.subarray(0, count))
  }
}

/** Retries on a non-blocking pipe that has no data yet. */
function readPiece(descriptor: number, piece: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, piece, 0, piece.length, null)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Deeper nesting would overflow the stack. */
const maxDepth = 200

export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    level = level.flatMap(partsOf)
    if (level.length === 0) return false
  }
  return true
}

function partsOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values<unknown>({ ...value }) : []
}

const explanation = `donecheck hook AGENT EVENT [--timeout SECONDS]

Agents start this by themselves: it reads on standard input, as JSON, what happened, and answers in the agent's own words.
  donecheck install AGENT   puts it into the settings of an agent
  donecheck doctor          tries what is installed
  donecheck list --sessions          tells how the sessions stand

Examples:
  $ donecheck hook claude-code Stop --timeout 600 < payload.json
`

/** @returns undefined if an agent may be calling */
export function answerToPerson(words: readonly string[], isTyped = isTerminal): HookReply | undefined {
  if (words.includes('--help') || words.includes('-h'))
    return { exitCode: 0, stdout: explanation, stderr: '' }
  // Some agents take exit code 2 for a block.
  return isTyped() ? { exitCode: 1, stdout: '', stderr: explanation } : undefined
}

/** Loads node:tty only if standard input may be a terminal. */
function isTerminal(): boolean {
  try {
    return fstatSync(0).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(0)
  } catch {
    return false
  }
}
