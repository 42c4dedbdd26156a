/** Who the worker is to the hosts of repositories. No run may know it: it is in no file, no argument and no variable of a process that outlives one question. */
import { UsageError } from '@donecheck/engine/base'

export interface Credential {
  /** Scheme and host, and the beginning of a path: it is told to nobody else. */
  readonly scope: string
  readonly username: string
  readonly password: string
}

/** @param text a line each, as `git credential-store` keeps them: `https://user:token@host`, with a path where it holds below that alone */
export function readCredentials(text: string): readonly Credential[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line, at) => {
      const url = URL.parse(line)
      if (url === null || !/^https?:$/.test(url.protocol) || url.password === '')
        throw new UsageError(
          `line ${at + 1} of the git credentials is none; write https://USER:TOKEN@HOST, one a line`,
        )
      return {
        scope: `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`,
        username: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
      }
    })
}

/** @throws {UsageError} for an address with a secret in it, which would be recorded, and for one that is an option or runs a program */
export function assertAddress(address: string): void {
  const url = URL.parse(address)
  if (url !== null && (url.password !== '' || (/^https?:$/.test(url.protocol) && url.username !== '')))
    throw new UsageError(
      'the address of the repository holds a credential; leave it out: the workers have theirs',
    )
  if (/^(?:-|[\w+.-]+::)/.test(address) || /[\0\n]/.test(address) || address === '')
    throw new UsageError(`"${address}" is no address of a repository; use https, ssh or a path`)
}

/** The one that fits best. Undefined: there is none for this address. */
export function credentialFor(address: string, credentials: readonly Credential[]): Credential | undefined {
  return credentials
    .filter(({ scope }) => address === scope || address.startsWith(`${scope}/`))
    .sort((one, other) => other.scope.length - one.scope.length)[0]
}
