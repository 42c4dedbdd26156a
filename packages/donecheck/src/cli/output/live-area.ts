import { promptEvent } from '../../terminal/index.ts'
import type { OutputStream } from '../process/io.ts'
import { columnsOf } from './painter.ts'

const eraseLine = '\r\u001B[2K'
const oneLineUp = '\u001B[1A'
const refreshMs = 500

/**
 * The last lines of a terminal, written over and over: a line that is still growing, and below it what is going on, which is
 * asked for again as time goes by. Without a terminal there are none, nor while a question is on the screen.
 */
export function liveArea(stream: OutputStream) {
  let growing = ''
  let status: (() => string) | undefined
  let erase = ''
  let isPrompted = false
  const draw = () => {
    if (!stream.isTTY) return
    const lines = [
      ...(growing === '' || isPrompted ? [] : [growing]),
      ...(status === undefined || isPrompted ? [] : [status().slice(0, columnsOf(stream) - 1)]),
    ]
    stream.write(`${erase}${lines.join('\n')}`)
    erase = lines.length === 0 ? '' : eraseLine + `${oneLineUp}${eraseLine}`.repeat(lines.length - 1)
  }
  const timer = stream.isTTY ? setInterval(() => status !== undefined && draw(), refreshMs) : undefined
  timer?.unref()
  const onPrompt = (isOpen: unknown) => {
    isPrompted = isOpen === true
    draw()
  }
  stream.on(promptEvent, onPrompt)
  return {
    /** What stays, above the area. */
    write(line: string) {
      stream.write(`${erase}${line}\n`)
      erase = ''
      draw()
    },
    /** Painted, and no wider than the terminal. */
    grow(line: string) {
      growing = line
      draw()
    },
    /** Undefined: there is nothing to wait for, or the terminal belongs to somebody else. */
    show(next: (() => string) | undefined) {
      status = next
      draw()
    },
    close() {
      status = undefined
      draw()
      clearInterval(timer)
      stream.off(promptEvent, onPrompt)
    },
  }
}
