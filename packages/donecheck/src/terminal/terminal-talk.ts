import type { Readable, Writable } from 'node:stream'
import picocolors from 'picocolors'
import type { OptionKeys } from '@donecheck/engine/internal/base'
import type { Colours, KeyAnswer, KeyQuestion } from './key-prompt.ts'

export interface TerminalOptions {
  readonly input: Readable
  readonly output: Writable
  readonly colours?: boolean
  /** Called on Ctrl-C or Escape: raw mode sends no signal. */
  readonly onCancel?: () => void
}

export const terminalKeys: OptionKeys<TerminalOptions> = {
  input: 'needed',
  output: 'needed',
  colours: true,
  onCancel: true,
}

type AskByKey = <Key extends string>(question: KeyQuestion<Key>) => Promise<KeyAnswer<Key> | undefined>

/** Emitted with `true` while a question is on the screen: nothing else may draw. */
export const promptEvent = 'donecheck-prompt'

type Talked<Value> =
  { readonly kind: 'said'; readonly value: Value } | { readonly kind: 'interrupted' | 'cancelled' | 'closed' }

/** Distinguishes a closed terminal, an interrupt and a cancelled question. */
export async function talk<Value>(
  options: TerminalOptions,
  signal: AbortSignal,
  show: (colours: Colours) => string,
  ask: (askByKey: AskByKey) => Promise<Value | undefined>,
): Promise<Talked<Value>> {
  const { input, output } = options
  if (input.readableEnded || input.destroyed) return { kind: 'closed' }
  const { askByKey } = await import('./key-prompt.ts')
  const closed = new AbortController()
  const onEnd = () => closed.abort()
  const onKey = (_text: unknown, key: unknown) => {
    if (isControlD(key)) onEnd()
  }
  const colours = coloursFor(options)
  const streams = { input, output, colours, signal: AbortSignal.any([signal, closed.signal]) }
  input.once('end', onEnd).once('close', onEnd).on('keypress', onKey)
  output.emit(promptEvent, true)
  try {
    output.write(show(colours))
    const value = await ask((question) => askByKey(question, streams))
    if (value !== undefined) return { kind: 'said', value }
    if (signal.aborted) return { kind: 'interrupted' }
    if (closed.signal.aborted) return { kind: 'closed' }
    options.onCancel?.()
    return { kind: 'cancelled' }
  } finally {
    input.off('end', onEnd).off('close', onEnd).off('keypress', onKey)
    output.emit(promptEvent, false)
  }
}

/** Raw mode does not end the input. */
function isControlD(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false
  return 'ctrl' in key && key.ctrl === true && 'name' in key && key.name === 'd'
}

export async function writeAnswer(text: string, answer: string, options: TerminalOptions): Promise<void> {
  const { answeredLine } = await import('./key-prompt.ts')
  const { output } = options
  output.write(`${answeredLine(text, answer, { output, colours: coloursFor(options) })}\n`)
}

function coloursFor({ colours, output }: TerminalOptions): Colours {
  return picocolors.createColors(
    colours ?? (picocolors.isColorSupported && 'isTTY' in output && output.isTTY === true),
  )
}
