import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { Sandbox, SandboxedCommand, SandboxRequest } from '../../../ports/gate.ts'
import type { ToolContext } from '../../../ports/loop.ts'
import { ready, removeToolFolders, toolFolder } from '../../../testing/contracts/tool-contract.ts'
import { defaultTools } from '../default-tools.ts'
import { runShellTool } from './run-shell.ts'
import { confinementNote } from './shell-process.ts'

const environment = { PATH: process.env['PATH'] ?? '', DONECHECK_KEY: 'secret' }
const never = new AbortController().signal
afterEach(removeToolFolders)

/** Marks commands by a variable, and records the requests. */
function marking(changes: Partial<Sandbox['description']> = {}) {
  const asked: SandboxRequest[] = []
  let released = 0
  const release = async () => {
    released += 1
  }
  const sandbox: Sandbox = {
    description: { driver: 'bubblewrap', isConfined: true, network: 'off', summary: '', ...changes },
    async confine(request): Promise<SandboxedCommand> {
      asked.push(request)
      return {
        kind: 'ready',
        words: request.words,
        environment: { ...request.environment, INSIDE: 'yes' },
        release,
      }
    },
  }
  return { sandbox, asked, released: () => released }
}

function shell(sandbox: Sandbox, workFolder = toolFolder()) {
  return runShellTool({
    workFolder,
    timeoutMs: 30_000,
    maxTimeoutMs: 60_000,
    environment,
    sandbox,
  })
}

async function run(sandbox: Sandbox, args: Record<string, JsonValue>, outsideSandbox?: true) {
  const call = await ready(shell(sandbox), args)
  const context = { outsideSandbox } as ToolContext
  return outsideSandbox === true ? call.run(never, context) : call.run(never)
}

const where = 'echo "${INSIDE:-outside}"'
const asking = { command: where, outside_sandbox: true, reason: 'it must' }

describe('given a sandbox', () => {
  it('a command runs in it, in the work folder, without our own variables, and it is released', async () => {
    const { sandbox, asked, released } = marking()
    const folder = toolFolder()
    const call = await ready(shell(sandbox, folder), { command: where })
    expect(await call.run(never)).toEqual({ status: 'ok', output: 'yes\n[exit code 0]' })
    expect(asked).toEqual([
      { words: ['sh', '-c', where, 'donecheck'], folder, environment: { PATH: environment.PATH } },
    ])
    expect(released()).toBe(1)
  })

  it('a sandbox that cannot be made runs nothing', async () => {
    const sandbox: Sandbox = {
      ...marking().sandbox,
      confine: async () => ({ kind: 'unavailable', problem: 'gone' }),
    }
    expect(await run(sandbox, { command: 'touch x' })).toEqual({
      ...{ status: 'error', output: 'not run, because the sandbox cannot be made: gone' },
    })
  })
})

describe('given a call that asks to leave the sandbox', () => {
  it('its reason and its prefix are told to the gate, and the summary says it', async () => {
    const call = await ready(shell(marking().sandbox, '/work'), { ...asking, prefix: ['echo'] })
    expect(call.summary).toMatch(/^run outside of the sandbox: echo/)
    expect(call.action).toEqual({
      ...{
        kind: 'command',
        script: where,
        folder: '/work',
        escalation: { reason: 'it must', prefix: ['echo'] },
      },
    })
    expect((await ready(shell(marking().sandbox, '/work'), { command: where })).action).toEqual({
      ...{ kind: 'command', script: where, folder: '/work' },
    })
  })

  it('it leaves only where the gate has allowed it', async () => {
    expect(await run(marking().sandbox, asking, true)).toEqual({
      status: 'ok',
      output: 'outside\n[exit code 0]',
    })
    expect((await run(marking().sandbox, asking)).output).toBe(
      'yes\n[exit code 0]\n[it was run inside of the sandbox: nobody has allowed it to leave]',
    )
    expect((await run(marking().sandbox, { command: where }, true)).output).toBe('yes\n[exit code 0]')
  })

  it.each([
    [{ command: 'x', outside_sandbox: true }],
    [{ ...asking, reason: ' ' }],
    [{ ...asking, prefix: [] }],
  ])('%j is refused', async (args) => {
    expect(await shell(marking().sandbox).prepare(args)).toMatchObject({ kind: 'invalid' })
  })

  it('where nothing is confined, nothing can be left: the argument does not exist', async () => {
    const { sandbox } = marking({ driver: 'off', isConfined: false })
    expect(JSON.stringify(shell(sandbox).parameters)).not.toContain('outside_sandbox')
    expect(shell(sandbox).description).not.toContain('sandbox')
    expect(await shell(sandbox).prepare(asking)).toMatchObject({ kind: 'invalid' })
  })
})

describe('given a failure that looks like the sandbox', () => {
  it.each([
    ["touch: cannot touch '/etc/x': Read-only file system", 'can be written'],
    ['Error: EROFS: read-only file system, open', 'can be written'],
    ['curl: (6) Could not resolve host: example.com', 'there is no network'],
    ['getaddrinfo EAI_AGAIN registry', 'there is no network'],
    ['connect: Network is unreachable', 'there is no network'],
    ['error: could not lock config file: Device or resource busy', "git's configuration"],
  ])('%s: it is said, with how to ask', async (output, said) => {
    const outcome = await run(marking().sandbox, { command: `cat <<'E' >&2\n${output}\nE\nexit 1` })
    expect(outcome.output).toMatch(
      /\[exit code 1\]\n\[this looks like the sandbox: .*outside_sandbox: true and a reason\]$/,
    )
    expect(outcome.output).toContain(said)
  })

  it('it is not said of success, of other failures, without a sandbox, or of a network that is there', async () => {
    const { sandbox } = marking()
    expect((await run(sandbox, { command: 'echo EROFS' })).output).toBe('EROFS\n[exit code 0]')
    expect((await run(sandbox, { command: 'echo no; exit 1' })).output).toBe('no\n[exit code 1]')
    expect(confinementNote('EROFS', undefined)).toBe('')
    expect(confinementNote('EROFS', marking({ isConfined: false }).sandbox)).toBe('')
    expect(confinementNote('ENETUNREACH', marking({ network: 'on' }).sandbox)).toBe('')
  })
})

describe('given the tool in a loop', () => {
  it('it tells what confines its commands, and says so loudly where nothing does', () => {
    const { sandbox } = marking()
    expect(shell(sandbox).sandbox).toEqual(sandbox.description)
    const unconfined = defaultTools({ workFolder: toolFolder() }).find(({ name }) => name === 'run_shell')
    expect(unconfined?.sandbox).toMatchObject({ driver: 'off', isConfined: false, network: 'on' })
    expect(unconfined?.sandbox?.summary).toContain('NOT CONFINED')
  })

  it('its commands get no key or token of this process, unless the program hands them on', async () => {
    process.env['GITHUB_TOKEN'] = 'the token'
    try {
      const asked = { workFolder: toolFolder() }
      for (const [options, seen] of [
        [asked, '[]'],
        [{ ...asked, environment: { GITHUB_TOKEN: 'mine' } }, '[mine]'],
      ] as const) {
        const tool = defaultTools(options).find(({ name }) => name === 'run_shell')
        if (tool === undefined) throw new TypeError('no shell')
        const call = await ready(tool, { command: 'echo "[$GITHUB_TOKEN]"' })
        expect((await call.run(never)).output).toContain(seen)
      }
    } finally {
      delete process.env['GITHUB_TOKEN']
    }
  })
})
