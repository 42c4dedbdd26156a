/** Real keys, created by ssh-keygen. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test } from '@fast-check/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { envelopeOf, parseReceiptFile, preAuthentication } from '@donecheck/engine/receipt'
import { readSigner, type SignerFlags, signWithSsh } from '../receipt.ts'

const payload = Buffer.from(JSON.stringify({ statement: 'a receipt', of: ['npm test'] }))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-signer-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function newKey(name: string): { readonly key: string; readonly line: string } {
  const key = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key])
  return { key, line: `${name}@example.org ${readFileSync(`${key}.pub`, 'utf8')}` }
}

function withOneChanged(bytes: Uint8Array, place: number): Uint8Array {
  const index = place % bytes.byteLength
  return Buffer.from(bytes).fill((bytes[index] ?? 0) ^ 1, index, index + 1)
}

const statusOf = (file: object, flags: SignerFlags) => {
  const { signedBy, line } = readSigner(parseReceiptFile(JSON.stringify(file)), flags)
  return signedBy ?? line.status
}

describe('given an envelope that an SSH key has signed', () => {
  let allowedSigners = ''
  let signature: Uint8Array = Buffer.alloc(0)
  let other: Uint8Array = Buffer.alloc(0)
  beforeAll(() => {
    const ci = newKey('ci')
    allowedSigners = join(folder, 'allowed')
    writeFileSync(allowedSigners, ci.line)
    signature = signWithSsh(preAuthentication(payload), ci.key)
    other = signWithSsh(preAuthentication(payload), newKey('mallory').key)
  })
  const signed = () => envelopeOf(payload, signature)

  it('is of whoever the file of allowed signers names for the key, and of nobody else', () => {
    expect(statusOf(signed(), { allowedSigners })).toBe('ci@example.org')
    expect(statusOf(signed(), { allowedSigners, signer: 'ci@example.org' })).toBe('ci@example.org')
    expect(statusOf(signed(), { allowedSigners, signer: 'ada@example.org' })).toBe('differs')
    expect(statusOf(envelopeOf(payload, other), { allowedSigners })).toBe('differs')
  })

  it('is read where an allowed signature stands beside another', () => {
    const signatures = [other, signature].map((one) => ({ sig: Buffer.from(one).toString('base64') }))
    expect(statusOf({ ...signed(), signatures }, { allowedSigners })).toBe('ci@example.org')
  })

  it('is of nobody where the key may sign only for something else, or signed for it', () => {
    const elsewhere = join(folder, 'elsewhere')
    const [name, ...key] = readFileSync(allowedSigners, 'utf8').split(' ')
    writeFileSync(elsewhere, `${name ?? ''} namespaces="git" ${key.join(' ')}`)
    expect(statusOf(signed(), { allowedSigners: elsewhere })).toBe('differs')
    const words = ['-Y', 'sign', '-n', 'git', '-f', join(folder, 'ci')]
    const armoured = execFileSync('ssh-keygen', words, {
      input: preAuthentication(payload),
      encoding: 'utf8',
    })
    const ofGit = Buffer.from(armoured.replaceAll(/-----.*-----/g, ''), 'base64')
    expect(statusOf(envelopeOf(payload, ofGit), { allowedSigners })).toBe('differs')
  })

  it('is not checked where nothing is named to check it with, and a missing file is no permission', () => {
    expect(statusOf(signed(), {})).toBe('not-checked')
    expect(statusOf(signed(), { signer: 'ci@example.org' })).toBe('differs')
    expect(statusOf(signed(), { allowedSigners: join(folder, 'nowhere') })).toBe('differs')
    expect(statusOf({ no: 'signature' }, { allowedSigners })).toBe('differs')
  })

  /** ssh-keygen tolerates other values of the version byte, and nothing depends on it. */
  const versionByte = 9

  test.prop([fc.nat(), fc.boolean()], { numRuns: 40 })(
    'is of nobody with one bit changed',
    (place, isSignature) => {
      fc.pre(!isSignature || place % signature.byteLength !== versionByte)
      const changed = isSignature
        ? envelopeOf(payload, withOneChanged(signature, place))
        : envelopeOf(withOneChanged(payload, place), signature)
      expect(statusOf(changed, { allowedSigners })).toBe('differs')
    },
  )
})
