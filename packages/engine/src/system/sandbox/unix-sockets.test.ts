import { describe, expect, it } from 'vitest'
import { socketPathsIn } from './unix-sockets.ts'

const table = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 21345 /run/docker.sock
0000000078819530: 00000003 00000000 00000000 0001 03  1613
0000000000000000: 00000002 00000000 00010000 0001 01    77 @/tmp/.X11-unix/X0
0000000000000000: 00000003 00000000 00000000 0001 03 21346 /run/docker.sock
00000000aaaaaaaa: 00000002 00000000 00010000 0005 01 5 /home/a b/x: y
`

describe("given the kernel's table of Unix sockets", () => {
  it('names those that are files, each once', () => {
    expect(socketPathsIn(table)).toEqual(['/run/docker.sock', '/home/a b/x: y'])
    expect(socketPathsIn('')).toEqual([])
  })
})
