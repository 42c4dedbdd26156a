import { PassThrough, Writable } from 'node:stream'
import type { CliIo } from './io.ts'

/** The same world for what works beside somebody else's screen: whole lines of what it writes go there, and it can ask nobody. */
export function collectingIo(io: CliIo, onLine: (line: string) => void): CliIo {
  return {
    ...withoutStdin(io),
    stdin: new PassThrough().end(),
    stdout: collector(onLine),
    stderr: collector(onLine),
  }
}

/** Its standard input is opened when it is read, which must not happen here. */
function withoutStdin({
  environment,
  currentFolder,
  homeFolder,
}: CliIo): Omit<CliIo, 'stdin' | 'stdout' | 'stderr'> {
  return { environment, currentFolder, homeFolder }
}

function collector(onLine: (line: string) => void): Writable {
  let rest = ''
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
      done()
    },
  })
}
