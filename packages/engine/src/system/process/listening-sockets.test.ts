import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { listeningLocally, listeningOnPorts } from './listening-sockets.ts'

const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0 100 0`
const hexadecimal = (bytes: readonly number[]) =>
  bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('')

describe('given the table of connections', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  test.prop([fc.tuple(byte, byte, byte, byte), fc.integer({ min: 0, max: 65_535 })])(
    'tells any address of four bytes, and any port',
    (bytes, port) => {
      const local = `${hexadecimal([...bytes].reverse())}:${port.toString(16).padStart(4, '0').toUpperCase()}`
      const address = `tcp ${bytes.join('.')}:${port}`
      expect(listeningOnPorts(row(local, '0A', 7))).toEqual([{ inode: '7', address }])
    },
  )

  it.each([
    ['00000000000000000000000001000000:1F90', 'tcp [::1]:8080'],
    ['00000000000000000000000000000000:1F90', 'tcp [::]:8080'],
    ['000080FE00000000FF005450DDCCBBAA:0050', 'tcp [fe80::5054:ff:aabb:ccdd]:80'],
    ['0000000000000000FFFF00000100007F:0050', 'tcp [::ffff:7f00:1]:80'],
  ])('tells the long address %s', (local, address) => {
    expect(listeningOnPorts(row(local, '0A', 7))).toEqual([{ inode: '7', address }])
  })

  it('passes over connections that are made, and over what is no row', () => {
    const table = ['  sl  local_address rem_address   st', row('0100007F:1F90', '01', 7), ''].join('\n')
    expect(listeningOnPorts(table)).toEqual([])
  })

  test.prop([fc.string()])('does not fall over any text', (text) => {
    expect(listeningOnPorts(text)).toEqual([])
    expect(listeningLocally(text)).toEqual([])
  })
})

describe('given the table of local sockets', () => {
  it('tells those that take connections, with a name, an abstract one, or none', () => {
    const table = [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      '0000000000000000: 00000002 00000000 00010000 0001 01 11 /tmp/a b',
      '0000000000000000: 00000002 00000000 00010000 0001 01  12 @abstract',
      '0000000000000000: 00000002 00000000 00010000 0001 01 13',
      '0000000000000000: 00000003 00000000 00000000 0001 03 14 /tmp/connected',
    ].join('\n')
    expect(listeningLocally(table)).toEqual([
      { inode: '11', address: 'unix /tmp/a b' },
      { inode: '12', address: 'unix @abstract' },
      { inode: '13', address: 'unix (without a name)' },
    ])
  })
})
