import type picocolors from 'picocolors'
import { createInterface, emitKeypressEvents } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'

export type Colours = ReturnType<typeof picocolors.createColors>

export interface KeyChoice<Key extends string> {
  readonly key: Key
  readonly label: string
  readonly meaning: string
  /** 1 is always shown, 2 and 3 if there is room. */
  readonly rank: 1 | 2 | 3
  readonly followUp?: string
}

export interface KeyQuestion<Key extends string> {
  /** Without control characters; cut to fit. */
  readonly text: string
  readonly details?: readonly string[]
  readonly textInFull?: string
  readonly why?: string
  readonly choices: readonly KeyChoice<Key>[]
  readonly enter: Key
}

interface PromptStreams {
  readonly input: Readable
  readonly output: Writable
  readonly signal: AbortSignal
  readonly colours: Colours
}

export interface KeyAnswer<Key extends string> {
  readonly key: Key
  readonly text: string
}

/** @returns undefined if cancelled or aborted */
export async function askByKey<Key extends string>(
  question: KeyQuestion<Key>,
  streams: PromptStreams,
): Promise<KeyAnswer<Key> | undefined> {
  const screen = rewritableLines(streams.output)
  const choice = await readChoice(question, streams, screen)
  if (choice === undefined) return undefined
  const finish = (answer: string) => screen.end(answeredLine(question.text, answer, streams))
  if (choice.followUp === undefined) {
    finish(choice.meaning)
    return { key: choice.key, text: '' }
  }
  const prompt = `${answeredLine(question.text, `${choice.meaning} · ${choice.followUp}`, streams)} `
  screen.draw([])
  const typed = await readText(prompt, streams)
  if (typed === undefined) return undefined
  screen.typed(`${prompt}${typed}`)
  const text = typed.trim()
  finish(text === '' ? choice.meaning : `${choice.meaning}: ${text}`)
  return { key: choice.key, text }
}

function readChoice<Key extends string>(
  question: KeyQuestion<Key>,
  { input, output, signal, colours }: PromptStreams,
  screen: RewritableLines,
): Promise<KeyChoice<Key> | undefined> {
  const answered = Promise.withResolvers<KeyChoice<Key> | undefined>()
  let isExplained = false
  const layOut = () => layOutQuestion(question, { isExplained, columns: columnsOf(output), colours })
  const draw = () => screen.draw(layOut().lines)
  const onKey = (_text: unknown, pressed: unknown) => {
    const { name, isControl } = parseKey(pressed)
    if (name === 'escape' || (isControl && name === 'c')) answered.resolve(undefined)
    if (isControl) return
    if (name === '?') {
      isExplained = true
      draw()
      return
    }
    const key = name === 'return' || name === 'enter' ? question.enter : name
    // A key that is not shown decides nothing.
    const choice = layOut().offered.find((one) => one.key === key)
    if (choice !== undefined) answered.resolve(choice)
  }
  const onAbort = () => answered.resolve(undefined)
  const release = readKeys(input, onKey)
  output.on('resize', draw)
  signal.addEventListener('abort', onAbort)
  draw()
  if (signal.aborted) onAbort()
  return answered.promise
    .then((choice) => {
      if (choice === undefined) screen.end(signal.aborted ? undefined : cut(`? ${question.text}`, output))
      return choice
    })
    .finally(() => {
      release()
      output.off('resize', draw)
      signal.removeEventListener('abort', onAbort)
    })
}

interface Layout<Key extends string> {
  readonly lines: readonly string[]
  readonly offered: readonly KeyChoice<Key>[]
}

/** Shows as many choices as fit; `?` shows the rest. */
function layOutQuestion<Key extends string>(
  { text, details = [], textInFull, why, choices, enter }: KeyQuestion<Key>,
  options: { readonly isExplained: boolean; readonly columns: number; readonly colours: Colours },
): Layout<Key> {
  const { isExplained, columns, colours } = options
  const upTo = (maxRank: number) => choices.filter(({ rank }) => rank <= maxRank)
  const few = upTo(1)
  const offers = isExplained
    ? [{ offered: choices, keys: '› ' }]
    : [
        { offered: choices, keys: `${formatKeys(choices)}  [?] › ` },
        { offered: upTo(2), keys: `${formatKeys(upTo(2))}  [?] more › ` },
        { offered: few, keys: `${formatKeys(few)}  [?] more › ` },
        { offered: few, keys: `${few.map(({ key }) => `[${key}]`).join(' ')} [?] › ` },
      ]
  const room = (keys: string) => columns - visibleWidth(`? ${text}  ${keys}`)
  const { offered, keys } = offers.find((one) => room(one.keys) > 0) ??
    offers.at(-1) ?? { offered: choices, keys: '' }
  const textColumns = Math.max(1, columns - visibleWidth(`?   ${keys}`) - 1)
  const isCut = visibleWidth(text) > textColumns
  const quiet = [
    ...(why === undefined ? [] : [why]),
    ...(isExplained
      ? choices.map(({ key, meaning }) => `${key}  ${meaning}${key === enter ? ' (Enter)' : ''}`)
      : []),
  ]
  const above = [
    ...(isCut && textInFull !== undefined ? [textInFull] : []),
    ...details,
    ...quiet.map((line) => colours.dim(line)),
  ]
  const line = `${colours.cyan('?')} ${truncate(text, textColumns)}  ${colours.dim(keys.trimEnd())} `
  const wrapped = above.flatMap((one) => wrapTextWithAnsi(one, Math.max(1, columns - 2)))
  return { lines: [...wrapped.map((one) => `  ${one}`), line], offered }
}

function formatKeys<Key extends string>(choices: readonly KeyChoice<Key>[]): string {
  return choices.map(({ key, label }) => `[${key}] ${label}`).join('  ')
}

export function answeredLine(
  text: string,
  answer: string,
  { output, colours }: Pick<PromptStreams, 'output' | 'colours'>,
): string {
  const columns = columnsOf(output) - 1
  const shortAnswer = truncate(answer, Math.max(1, columns - 8))
  const room = Math.max(1, columns - visibleWidth(`?  › ${shortAnswer}`))
  return `${colours.cyan('?')} ${truncate(text, room)} ${colours.dim('›')} ${colours.bold(shortAnswer)}`
}

function cut(text: string, output: Writable): string {
  return truncate(text, columnsOf(output) - 1)
}

function truncate(text: string, columns: number): string {
  return stripVTControlCharacters(truncateToWidth(text, columns, '…'))
}

/** @returns undefined if cancelled, closed or aborted */
function readText(prompt: string, { input, output, signal }: PromptStreams): Promise<string | undefined> {
  const answered = Promise.withResolvers<string | undefined>()
  const cancel = () => answered.resolve(undefined)
  const editor = createInterface({ input, output, terminal: true, historySize: 0 })
  const onKey = (_text: unknown, pressed: unknown) => {
    if (parseKey(pressed).name === 'escape') cancel()
  }
  editor.on('line', answered.resolve).on('SIGINT', cancel).on('close', cancel)
  input.on('keypress', onKey)
  signal.addEventListener('abort', cancel)
  editor.setPrompt(prompt)
  editor.prompt()
  if (signal.aborted) cancel()
  return answered.promise
    .then((text) => {
      if (text === undefined) output.write('\n')
      return text
    })
    .finally(() => {
      input.off('keypress', onKey)
      signal.removeEventListener('abort', cancel)
      editor.close()
    })
}

function readKeys(input: Readable, onKey: (text: unknown, key: unknown) => void): () => void {
  emitKeypressEvents(input)
  const terminal = isRawCapable(input) ? input : undefined
  terminal?.setRawMode(true)
  input.on('keypress', onKey).resume()
  return () => {
    input.off('keypress', onKey).pause()
    terminal?.setRawMode(false)
  }
}

function isRawCapable(input: Readable): input is Readable & { setRawMode(isRaw: boolean): unknown } {
  return 'isTTY' in input && input.isTTY === true && 'setRawMode' in input
}

function parseKey(key: unknown): { readonly name: string; readonly isControl: boolean } {
  if (typeof key !== 'object' || key === null) return { name: '', isControl: false }
  const text = (name: 'name' | 'sequence') => {
    const value: unknown = Reflect.get(key, name)
    return typeof value === 'string' ? value.toLowerCase() : ''
  }
  return { name: text('name') || text('sequence'), isControl: Reflect.get(key, 'ctrl') === true }
}

interface RewritableLines {
  /** Leaves the cursor at the end of the last line. */
  draw(lines: readonly string[]): void
  typed(line: string): void
  end(line: string | undefined): void
}

function rewritableLines(output: Writable): RewritableLines {
  let drawn: readonly string[] = []
  const erase = () => {
    if (drawn.length === 0) return
    const rows = drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columnsOf(output))),
      0,
    )
    output.write(`\r${rows > 1 ? `\u001B[${rows - 1}A` : ''}\u001B[J`)
  }
  const draw = (lines: readonly string[]) => {
    erase()
    output.write(lines.join('\n'))
    drawn = lines
  }
  return {
    draw,
    typed(line) {
      drawn = [line, '']
    },
    end(line) {
      draw(line === undefined ? [] : [`${line}\n`])
      drawn = []
    },
  }
}

function columnsOf(output: Writable): number {
  return 'columns' in output && typeof output.columns === 'number' && output.columns > 0 ? output.columns : 80
}
