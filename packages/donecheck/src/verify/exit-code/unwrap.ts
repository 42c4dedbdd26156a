import { unwrapWords, type Unwrapped } from '../../shell/index.ts'

/** Programs that run another program and answer with its exit code. */
const answering = new Set(
  (
    'env timeout gtimeout nice ionice nohup time command exec builtin sudo doas stdbuf setsid flock chronic npx bunx pnpx ' +
    'xvfb-run cross-env dotenv caffeinate xargs noglob unbuffer with-cwd ' +
    'npm pnpm yarn bun uv poetry pipenv hatch pdm rye pixi bundle'
  ).split(' '),
)

/** The program that is run in the end, with its arguments; variables that are set on the way come apart. */
export function unwrap(words: readonly string[]): Unwrapped {
  return unwrapWords(words, answering)
}
