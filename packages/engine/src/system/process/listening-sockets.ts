/** Where others can connect to a process: ports of the network and local sockets. */
import { openFilesOf, socketTableOf } from './linux-processes.ts'

export interface ListeningSocket {
  /** What `/proc/PID/fd` calls it by. */
  readonly inode: string
  /** For people: `tcp 127.0.0.1:3000`, `unix /tmp/socket`. */
  readonly address: string
}

/** Empty where nobody may look at its descriptors: of a process of somebody else, or of one that hides them. */
export function listensOn(id: number): readonly string[] {
  const own = new Set(openFilesOf(id).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  if (own.size === 0) return []
  const sockets = [
    ...(['tcp', 'tcp6'] as const).flatMap((table) => listeningOnPorts(socketTableOf(id, table))),
    ...listeningLocally(socketTableOf(id, 'unix')),
  ]
  return sockets.filter(({ inode }) => own.has(inode)).map(({ address }) => address)
}

/** State 0A is LISTEN. Addresses are in hexadecimal, in words of four bytes in the order of the machine. */
export function listeningOnPorts(table: string): readonly ListeningSocket[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const [, address, port] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(local) ?? []
    if (state !== '0A' || address === undefined || port === undefined || inode === undefined) return []
    return [{ inode, address: `tcp ${showAddress(address)}:${Number.parseInt(port, 16)}` }]
  })
}

/** The flag 00010000 says that it takes connections. A name in the abstract namespace begins with `@`. */
export function listeningLocally(table: string): readonly ListeningSocket[] {
  return table.split('\n').flatMap((line) => {
    const [, inode, name] = /^\w+: \w+ \w+ 00010000 \w+ \w+ +(\d+)(?: (.*))?$/.exec(line.trimEnd()) ?? []
    return inode === undefined ? [] : [{ inode, address: `unix ${name ?? '(without a name)'}` }]
  })
}

function showAddress(hexadecimal: string): string {
  const bytes = (hexadecimal.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex')].reverse())
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  )
  return `[${groups.join(':').replace(/(?:^|:)0(?::0)+(?:$|:)/, '::')}]`
}
