/** Signatures of real keys: made by ssh-keygen, and by a Sigstore whose keys are made here. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test } from '@fast-check/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { envelopeOf, parseReceiptFile, preAuthentication } from '@donecheck/engine/receipt'
import { issuer, ownSigstore, signer, type OwnSigstore } from './fixtures/own-sigstore.ts'
import { readSigner, type SignerFlags } from './read-signer.ts'
import { signWithSsh } from './ssh-signature.ts'

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

/** The same bytes with one of them another. */
function withOneChanged(bytes: Uint8Array, place: number): Uint8Array {
  const index = place % bytes.byteLength
  return Buffer.from(bytes).fill((bytes[index] ?? 0) ^ 1, index, index + 1)
}

const statusOf = async (file: object, flags: SignerFlags) => {
  const { signedBy, line } = await readSigner(parseReceiptFile(JSON.stringify(file)), flags)
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

  it('is of whoever the file of allowed signers names for the key, and of nobody else', async () => {
    expect(await statusOf(signed(), { allowedSigners })).toBe('ci@example.org')
    expect(await statusOf(signed(), { allowedSigners, signer: 'ci@example.org' })).toBe('ci@example.org')
    expect(await statusOf(signed(), { allowedSigners, signer: 'ada@example.org' })).toBe('differs')
    expect(await statusOf(envelopeOf(payload, other), { allowedSigners })).toBe('differs')
  })

  it('is read where an allowed signature stands beside another', async () => {
    const signatures = [other, signature].map((one) => ({ sig: Buffer.from(one).toString('base64') }))
    expect(await statusOf({ ...signed(), signatures }, { allowedSigners })).toBe('ci@example.org')
  })

  it('is of nobody where the key may sign only for something else, or signed for it', async () => {
    const elsewhere = join(folder, 'elsewhere')
    const [name, ...key] = readFileSync(allowedSigners, 'utf8').split(' ')
    writeFileSync(elsewhere, `${name ?? ''} namespaces="git" ${key.join(' ')}`)
    expect(await statusOf(signed(), { allowedSigners: elsewhere })).toBe('differs')
    const words = ['-Y', 'sign', '-n', 'git', '-f', join(folder, 'ci')]
    const armoured = execFileSync('ssh-keygen', words, {
      input: preAuthentication(payload),
      encoding: 'utf8',
    })
    const ofGit = Buffer.from(armoured.replaceAll(/-----.*-----/g, ''), 'base64')
    expect(await statusOf(envelopeOf(payload, ofGit), { allowedSigners })).toBe('differs')
  })

  it('is not checked where nothing is named to check it with, and a missing file is no permission', async () => {
    expect(await statusOf(signed(), {})).toBe('not-checked')
    expect(await statusOf(signed(), { signer: 'ci@example.org' })).toBe('differs')
    expect(await statusOf(signed(), { allowedSigners: join(folder, 'nowhere') })).toBe('differs')
    expect(await statusOf({ no: 'signature' }, { allowedSigners })).toBe('differs')
  })

  /** Of the version of the form, which ssh-keygen reads generously and nothing hangs on. */
  const versionByte = 9

  test.prop([fc.nat(), fc.boolean()], { numRuns: 40 })(
    'is of nobody with one bit changed',
    async (place, isSignature) => {
      fc.pre(!isSignature || place % signature.byteLength !== versionByte)
      const changed = isSignature
        ? envelopeOf(payload, withOneChanged(signature, place))
        : envelopeOf(withOneChanged(payload, place), signature)
      expect(await statusOf(changed, { allowedSigners })).toBe('differs')
    },
  )
})

describe('given a Sigstore bundle and the trusted root of its authority', () => {
  let sigstore: OwnSigstore
  let bundle: object = {}
  let flags: SignerFlags = {}
  beforeAll(async () => {
    sigstore = await ownSigstore()
    bundle = await sigstore.attest(payload)
    const trustedRoot = join(folder, 'trusted_root.json')
    writeFileSync(trustedRoot, sigstore.trustedRoot)
    flags = { trustedRoot, signer, issuer }
  })

  it('is of the identity in its certificate, whole, and of nobody else', async () => {
    expect(await statusOf(bundle, flags)).toBe(signer)
    for (const one of ['https://github.com/o/r', '.*', `${signer}x`])
      expect(await statusOf(bundle, { ...flags, signer: one })).toBe('differs')
    expect(await statusOf(bundle, { ...flags, issuer: 'https://accounts.example.org' })).toBe('differs')
  })

  it('is of nobody under another authority', async () => {
    const { trustedRoot } = await ownSigstore()
    const elsewhere = join(folder, 'elsewhere.json')
    writeFileSync(elsewhere, trustedRoot)
    expect(await statusOf(bundle, { ...flags, trustedRoot: elsewhere })).toBe('differs')
    writeFileSync(elsewhere, '{}')
    expect(await statusOf(bundle, { ...flags, trustedRoot: elsewhere })).toBe('differs')
  })

  it('can be of anybody where no signer and no issuer is named: that is asked for', async () => {
    const { trustedRoot = '' } = flags
    await expect(statusOf(bundle, { trustedRoot, signer })).rejects.toThrow('--issuer')
  })

  it('is of nobody with another receipt, without its log entry, or with any text of it changed', async () => {
    const other = (await sigstore.attest(Buffer.from('{}'))) as { dsseEnvelope: object }
    expect(await statusOf({ ...bundle, dsseEnvelope: other.dsseEnvelope }, flags)).toBe('differs')
    const text = JSON.stringify(bundle)
    const emptied = text.replace(/"tlogEntries":\[.*\](?=\},"dsse)/, '"tlogEntries":[]')
    expect(emptied).not.toBe(text)
    expect(await statusOf(JSON.parse(emptied) as object, flags)).toBe('differs')
  })
})
