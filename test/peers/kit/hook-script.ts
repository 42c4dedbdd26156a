/** Hooks for tests: scripts of shell that keep what they were given, and do as the test says. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord, type Body } from './wire/wire.ts'

export interface HookScript {
  /** Absolute, and what stands in the agent's settings. */
  readonly path: string
  /** To be written to `path`. */
  readonly content: string
  /** How often it was run. */
  invocations(): number
  /** What it was given, in order. */
  payloads(): readonly Body[]
}

/**
 * @param path absolute; what it keeps lies beside it
 * @param body lines of shell; `$n` is the number of this invocation from 1, `$input` its payload
 */
export function hookScript(path: string, body: string): HookScript {
  const kept = join(dirname(path), 'kept-by-hooks', path.split('/').at(-1) ?? '')
  const content = `#!/bin/sh
mkdir -p '${kept}'
n=$(($(ls '${kept}' | wc -l) + 1))
input=$(cat)
printf '%s' "$input" > '${kept}'/$n
${body}
`
  const payloads = (): readonly Body[] => {
    const found: Body[] = []
    while (existsSync(join(kept, String(found.length + 1)))) {
      const value: unknown = JSON.parse(readFileSync(join(kept, String(found.length + 1)), 'utf8'))
      found.push(isRecord(value) ? value : {})
    }
    return found
  }
  return { path, content, payloads, invocations: () => payloads().length }
}
