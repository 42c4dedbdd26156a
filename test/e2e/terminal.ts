/** The real command at a real terminal: a pseudo-terminal, and what a person would see on its screen. */
import { spawn, type IPty } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { program, type Place } from './donecheck.ts'

export interface AtTerminal {
  /** All that stands on the screen, without what has scrolled away. */
  screen(): string
  /** What has scrolled away, and the screen below it. */
  everything(): string
  /** Bytes as they came. */
  readonly written: () => string
  /** Resolves once the screen fulfils it. */
  until(isShown: (screen: string) => boolean): Promise<void>
  shows(text: string): Promise<void>
  /** Types a line, and Enter as a key of its own. */
  say(line: string): void
  press(keys: string): void
  resize(columns: number, rows: number): void
  readonly exitCode: Promise<number>
}

export const keys = {
  enter: '\r',
  controlC: '\u0003',
  controlD: '\u0004',
  controlO: '\u000F',
  escape: '\u001B',
}

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly environment?: Readonly<Record<string, string>>
}

export async function atTerminal(
  { folder, home }: Place,
  words: readonly string[],
  { columns = 100, rows = 40, environment = {} }: TerminalOptions,
  work: (terminal: AtTerminal) => Promise<void>,
): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color', ...environment }
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100_000 })
  const child = spawn(process.execPath, [program, ...words], { cols: columns, rows, cwd: folder, env })
  const terminal = watch(child, emulator)
  try {
    await work(terminal)
  } finally {
    if (!terminal.isOver()) child.kill('SIGKILL')
    await terminal.exitCode
    emulator.dispose()
  }
}

function watch(child: IPty, emulator: headless.Terminal): AtTerminal & { readonly isOver: () => boolean } {
  const exited = Promise.withResolvers<number>()
  let isOver = false
  let written = ''
  let woken = Promise.withResolvers<undefined>()
  const wake = () => {
    woken.resolve(undefined)
    woken = Promise.withResolvers<undefined>()
  }
  child.onExit(({ exitCode }) => {
    isOver = true
    exited.resolve(exitCode)
    wake()
  })
  child.onData((data) => {
    written += data
    emulator.write(data, wake)
  })
  const linesFrom = (first: number): string => {
    const { active } = emulator.buffer
    const lines = Array.from({ length: active.length - first }, (_, index) => active.getLine(first + index))
    return lines
      .map((line) => line?.translateToString(true) ?? '')
      .join('\n')
      .trimEnd()
  }
  const screen = () => linesFrom(emulator.buffer.active.baseY)
  const until = async (isShown: (screen: string) => boolean): Promise<void> => {
    while (!isShown(screen())) {
      if (isOver) throw new Error(`it has ended, and the screen is:\n${screen()}`)
      await woken.promise
    }
  }
  return {
    screen,
    everything: () => linesFrom(0),
    written: () => written,
    until,
    shows: (text) => until((shown) => shown.includes(text)),
    say(line) {
      child.write(line)
      child.write(keys.enter)
    },
    press: (typed) => child.write(typed),
    resize(columns, rows) {
      emulator.resize(columns, rows)
      child.resize(columns, rows)
    },
    exitCode: exited.promise,
    isOver: () => isOver,
  }
}
