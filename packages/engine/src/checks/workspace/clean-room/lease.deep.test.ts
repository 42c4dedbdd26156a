import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holderOf } from '../../../system/process/index.ts'
import { newFolder } from '../fixtures/work-tree.ts'
import { leaseRoom, removeOldRooms } from './lease.ts'

const dayMs = 24 * 60 * 60 * 1_000

describe('given the rooms of a project', () => {
  it('no two users have the same one, and a freed one is used again', () => {
    const folder = newFolder()
    const [first, second] = [leaseRoom(folder), leaseRoom(folder)]
    expect(second.root).not.toBe(first.root)
    first.release()
    expect(leaseRoom(folder).root).toBe(first.root)
  })

  it('one whose user was killed is taken over', async () => {
    const folder = newFolder()
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    const lock = join(folder, '1.lock')
    writeFileSync(lock, JSON.stringify(holderOf(child.pid ?? 0, 'clean room')))
    expect(leaseRoom(folder).root).toBe(join(folder, '2'))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(leaseRoom(folder).root).toBe(join(folder, '1'))
    expect(readFileSync(lock, 'utf8')).toContain(String(process.pid))
  })

  it('those of long ago are removed, but for one in use', () => {
    const rooms = newFolder()
    const [used, unused] = [leaseRoom(join(rooms, 'project')), leaseRoom(join(rooms, 'project'))]
    unused.release()
    const longAgo = new Date(Date.now() - 31 * dayMs)
    for (const { root } of [used, unused]) utimesSync(root, longAgo, longAgo)
    expect(removeOldRooms(rooms)).toBe(1)
    expect([used, unused].map(({ root }) => existsSync(root))).toEqual([true, false])
    used.release()
    expect(removeOldRooms(rooms)).toBe(1)
    expect(existsSync(join(rooms, 'project'))).toBe(false)
  })
})
