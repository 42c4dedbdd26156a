import type { CliIo } from '../process/io.ts'
import type { Output } from './output.ts'

/** One JSON object at the end; with `stream` every event on a line of its own before it. */
export function jsonOutput(io: CliIo, options: { readonly stream: boolean }): Output {
  const write = (value: object) => io.stdout.write(`${JSON.stringify(value)}\n`)
  return {
    text: () => undefined,
    event: (event) => {
      if (options.stream) write(event)
    },
    notice: (message) => io.stderr.write(`${message}\n`),
    end: (result) => void write(result),
    close: () => undefined,
  }
}
