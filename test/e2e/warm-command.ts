/** The command as a program that others start many times: it asks this process, where everything is loaded, over a socket. */
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { performCommand } from './read-command.ts'

/** Its folder, words and variables, each ended by a NUL, and one more; then what the command exits with, and what it writes. */
const program = (port: number) => `#!/usr/bin/env bash
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&3
read -r exit_code <&3
cat <&3
exit "$exit_code"
`

async function perform(asked: string) {
  const [folder = '', count, ...rest] = asked.split('\0').slice(0, -2)
  const words = rest.slice(0, Number(count))
  const variables = rest.slice(Number(count)).map((line) => [line.split('=', 1)[0] ?? '', line] as const)
  const environment = Object.fromEntries(variables.map(([name, line]) => [name, line.slice(name.length + 1)]))
  return performCommand({ folder, home: environment['HOME'] ?? '', environment }, words)
}

/**
 * @param path where the program is written. It tells nothing of standard error.
 * @param work as long as it can be started
 */
export async function withWarmCommand<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let asked = ''
    // Whoever has asked may be killed before it is answered.
    socket.on('error', () => undefined)
    socket.setEncoding('utf8').on('data', (piece: string) => {
      asked += piece
      if (!asked.endsWith('\0\0')) return
      void perform(asked).then(
        ({ exitCode, stdout }) => socket.end(`${exitCode}\n${stdout}`),
        (error: unknown) => socket.end(`70\n${String(error)}`),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it listens at no port')
  await writeFile(path, program(address.port))
  await chmod(path, 0o755)
  try {
    return await work()
  } finally {
    server.close()
  }
}
