import type { Readable, Writable } from 'node:stream'
import type * as clack from '@clack/prompts'
import picocolors from 'picocolors'
import type { Colours } from './show-question.ts'
import type { OptionKeys } from '@donecheck/engine/base'

export interface TerminalOptions {
  readonly input: Readable
  readonly output: Writable
  /** Default: as the environment and the output say. */
  readonly colours?: boolean
  /** Told when somebody presses Ctrl-C or Escape at a question: in raw mode the terminal sends no signal for it. */
  readonly onCancel?: () => void
}

export const terminalKeys: OptionKeys<TerminalOptions> = {
  input: 'needed',
  output: 'needed',
  colours: true,
  onCancel: true,
}

type Prompts = Pick<typeof clack, 'isCancel' | 'selectKey' | 'text'>

/** What every prompt of one talk is given. */
export interface PromptCommons {
  readonly input: Readable
  readonly output: Writable
  readonly signal: AbortSignal
  readonly withGuide: false
}

export type Talked<Value> =
  { readonly kind: 'said'; readonly value: Value } | { readonly kind: 'interrupted' | 'cancelled' | 'closed' }

/**
 * Shows something and asks about it. A terminal that is closed, an interrupt and a cancelled prompt are told apart.
 * @param ask answers a symbol where a prompt was cancelled
 */
export async function talk<Value>(
  options: TerminalOptions,
  signal: AbortSignal,
  show: (colours: Colours) => string,
  ask: (prompts: Prompts, commons: PromptCommons) => Promise<Value | symbol>,
): Promise<Talked<Value>> {
  const { input, output } = options
  if (input.readableEnded || input.destroyed) return { kind: 'closed' }
  // The prompts are loaded when somebody is asked, not before: most runs ask nobody.
  const prompts = await import('@clack/prompts')
  const closed = new AbortController()
  const onEnd = () => closed.abort()
  const onKey = (_text: unknown, key: unknown) => {
    if (isControlD(key)) onEnd()
  }
  const commons = {
    input,
    output,
    signal: AbortSignal.any([signal, closed.signal]),
    withGuide: false,
  } as const
  input.once('end', onEnd).once('close', onEnd).on('keypress', onKey)
  try {
    output.write(show(picocolors.createColors(options.colours ?? hasColours(output))))
    const value = await ask(prompts, commons)
    if (typeof value !== 'symbol') return { kind: 'said', value }
    if (signal.aborted) return { kind: 'interrupted' }
    if (closed.signal.aborted) return { kind: 'closed' }
    options.onCancel?.()
    return { kind: 'cancelled' }
  } finally {
    input.off('end', onEnd).off('close', onEnd).off('keypress', onKey)
  }
}

/** It closes the line editor behind a prompt, and the prompt would wait for ever. */
function isControlD(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false
  return 'ctrl' in key && key.ctrl === true && 'name' in key && key.name === 'd'
}

function hasColours(output: Writable): boolean {
  return picocolors.isColorSupported && 'isTTY' in output && output.isTTY === true
}
