/**
 * The environment of a program that is started from its sources again and again: what one has read and compiled of them is kept for the
 * next, where all programs of Node keep it by default. One that will be killed keeps it by `flushCompileCache` once it is ready.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const keepsCompiled: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
}
