/** A program that speaks as Claude Code does, as `claude` on PATH, and does whatever a test wants. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inPlace, type Ended, type Place } from './donecheck.ts'

export const init = { type: 'system', subtype: 'init', session_id: 'the-session', model: 'claude-sonnet-4-5' }
export const result = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'All works.',
  terminal_reason: 'completed',
  total_cost_usd: 0,
  usage: { input_tokens: 10, output_tokens: 1 },
}

export function calls(...ids: readonly string[]) {
  const content = ids.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'look' } }))
  return {
    type: 'assistant',
    message: { id: ids.join(), content, usage: { input_tokens: 5, output_tokens: 1 } },
  }
}

export function returned(id: string) {
  const content = [{ type: 'tool_result', tool_use_id: id, content: 'the same', is_error: false }]
  return { type: 'user', message: { content } }
}

export const says = (line: unknown) => `cat <<'LINE'\n${JSON.stringify(line)}\nLINE\n`

const ready = {
  type: 'control_response',
  response: { subtype: 'success', request_id: 'donecheck-opening', response: {} },
}
const words = `printf '%s\\n' "$*" >> "$HOME/words"\n`
/** Says that it asks before its calls, notes what it is told, and does so. */
const asked = `${words}case "$*" in
  *--input-format*)
    IFS= read -r opening; ${says(ready)}
    IFS= read -r prompt
    printf '%s' "$prompt" | sed 's/.*"content":"//; s/"},"parent_tool_use_id".*//' | tr -d '\\n' >> "$HOME/prompts"
    printf '\\n----\\n' >> "$HOME/prompts";;
esac
`

export async function withAgent(
  script: string,
  work: (place: Place, run: (...more: readonly string[]) => Promise<Ended>) => Promise<void>,
  { name = 'claude', files = {} }: { readonly name?: string; readonly files?: Record<string, string> } = {},
): Promise<void> {
  await inPlace({ 'task.md': 'Work.\n', ...files }, async (place) => {
    const bin = join(place.home, 'bin')
    await mkdir(bin)
    const version = `case "$1" in --version) echo '9.9.9 (fake)'; exit 0;; esac\n`
    await writeFile(join(bin, name), `#!/bin/sh\n${version}${asked}${script}`, {
      mode: 0o755,
    })
    const environment = { PATH: `${bin}:/usr/bin:/bin` }
    const run = (...more: readonly string[]) => {
      const agent = more.includes('--agent') ? [] : ['--agent', 'claude']
      const until = ['--until', 'test -e done.txt', '--events', '--final-summary', 'off']
      return place.run(['run', ...until, ...agent, ...more, 'Work.'], { environment })
    }
    await work(place, run)
  })
}

export const noted = ({ home }: Place, file: string) => readFileSync(join(home, file), 'utf8')

/** A process that has ended and that nobody has waited for is no longer alive. */
export function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}
