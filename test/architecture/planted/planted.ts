import { rooms } from '../rooms.ts'

/** A small tree in which something is wrong on purpose, or right where a careless gate would complain. */
export interface Planted {
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  /** Places that the gate must name; empty where it must let the tree through. */
  readonly caught: readonly string[]
}

/** A file of a room: `engine/shell/a.ts` lies in that room's folder, `engine/index.ts` is a front door. */
export function at(file: string): string {
  const [packageName = '', name = '', ...rest] = file.split('/')
  const room = rooms.get(`${packageName}/${name}`)
  if (room !== undefined) return `${room.folder}${rest.join('/')}`
  const isAdapter = packageName === 'agents' && rest.length > 0
  return `packages/${packageName}/src/${isAdapter ? 'adapters/' : ''}${[name, ...rest].join('/')}`
}

/** So many lines. */
export function lines(count: number): string {
  return 'void 0\n'.repeat(count)
}
