/** Signatures by an SSH key, made and checked by OpenSSH's own `ssh-keygen -Y`. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a key signs for: a signature of a commit or of a file is none of a receipt. */
const namespace = 'donecheck'

const head = '-----BEGIN SSH SIGNATURE-----'
const tail = '-----END SSH SIGNATURE-----'

/** @throws {Error} where ssh-keygen is missing or does not sign, with what it said */
export function signWithSsh(signed: Uint8Array, keyFile: string): Uint8Array {
  const armoured = askSshKeygen(['-Y', 'sign', '-n', namespace, '-f', keyFile], signed)
  return Buffer.from(armoured.replace(head, '').replace(tail, ''), 'base64')
}

/**
 * The principal of an `allowed_signers` file who signed: the one that is asked for, or whoever the file names for the key.
 * @throws {Error} where nobody of the file did
 */
export function sshSignerOf(
  signed: Uint8Array,
  signature: Uint8Array,
  { allowedSigners, signer }: { readonly allowedSigners: string; readonly signer?: string },
): string {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-signature-'))
  try {
    const file = join(folder, 'signature')
    writeFileSync(file, [head, Buffer.from(signature).toString('base64'), tail, ''].join('\n'))
    const words = ['-f', allowedSigners, '-s', file]
    const [found = ''] = askSshKeygen(['-Y', 'find-principals', ...words], '').split('\n')
    const principal = signer ?? found
    askSshKeygen(['-Y', 'verify', '-n', namespace, '-I', principal, ...words], signed)
    return principal
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function askSshKeygen(words: readonly string[], input: Uint8Array | string): string {
  const { error, status, stdout, stderr } = spawnSync('ssh-keygen', words, { input, encoding: 'utf8' })
  if (error !== undefined) throw new Error(`ssh-keygen could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`ssh-keygen: ${(stderr || stdout).trim()}`)
  return stdout.trim()
}
