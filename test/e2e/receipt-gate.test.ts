/** `donecheck receipt sign` and `verify --require-verified`: whether somebody else's work may be merged because of its receipt. */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, type Place } from './donecheck.ts'

function git({ folder }: Place, ...words: string[]): string {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid']
  return execFileSync('git', [...identity, ...words], { cwd: folder, encoding: 'utf8' })
}

/** Work that was verified and signed elsewhere: here only the commit, the receipt and the list of signers are known. */
async function givenSignedReceipt(place: Place) {
  const file = (name: string) => join(place.home, name)
  git(place, 'init', '--quiet')
  git(place, 'add', '--all')
  git(place, 'commit', '--quiet', '--message', 'work')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('key')])
  await writeFile(file('signers'), `ci@example.org ${await readFile(file('key.pub'), 'utf8')}`)
  const verified = await place.run(['verify', '--until', 'test -e a.txt', '--receipt', file('receipt.json')])
  const signed = await place.run([
    ...['receipt', 'sign', file('receipt.json')],
    ...['--key', file('key'), '--output', file('receipt.dsse.json')],
  ])
  expect([verified.exitCode, signed.exitCode]).toEqual([0, 0])
  // Whoever reads it knows by this name which checks had to pass, also where a build made the program small.
  expect(await readFile(file('receipt.json'), 'utf8')).toContain('"name": "deterministicVeto"')
  await mkdir(file('elsewhere'))
  const environment = { HOME: file('elsewhere') }
  const gate = (receipt: string, ...words: readonly string[]) =>
    place.run(['receipt', 'verify', file(receipt), '--require-verified', ...words], {
      environment,
      inProcess: true,
    })
  return { file, gate, signers: ['--allowed-signers', file('signers')] }
}

describe('given a receipt that was signed elsewhere', () => {
  it('is not signed where it is none, or contradicts itself', async () => {
    await inPlace({ 'a.txt': 'a\n' }, async (place) => {
      const { file } = await givenSignedReceipt(place)
      const sign = (name: string) => place.run(['receipt', 'sign', file(name), '--key', file('key')])
      const text = await readFile(file('receipt.json'), 'utf8')
      await writeFile(file('forged.json'), text.replace('"verified"', '"failed"'))
      const ends = [await sign('forged.json'), await sign('signers'), await sign('receipt.dsse.json')]
      expect(ends.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
        [2, ''],
        [2, ''],
        [2, ''],
      ])
    })
  })
})
