import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hookPoints } from '@donecheck/core/internal/events/gate'
import { inheritedEnvironment } from '../../system/process/index.ts'
import { hookPipeline } from './pipeline.ts'
import { commandHooks, type CommandHook } from './command-hooks.ts'
import { digestHookScripts, unfixedProgramsOf } from './hook-scripts.ts'
import { call, verified } from './fixtures/occasions.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-hooks-'))
})
afterAll(async () => rm(folder, { recursive: true }))

function pipelineOf(...commands: readonly Partial<CommandHook>[]) {
  const hooks = commands.map((given, at) => ({
    name: `hook ${at}`,
    point: 'before_tool_call' as const,
    command: 'true',
    ...given,
  }))
  const lines = hooks.map(({ command }) => command)
  const scripts = digestHookScripts(lines, folder)
  return hookPipeline(commandHooks(hooks, { folder, environment: inheritedEnvironment(), scripts }))
}

describe('given a command at before_tool_call', () => {
  async function answerOf(command: string, more: Partial<CommandHook> = {}) {
    return pipelineOf({ command, ...more }).fire('before_tool_call', call())
  }

  it('when it prints an answer, then that is its answer, and nothing is none', async () => {
    const decided = await answerOf(`echo '{"decision":"prompt","reason":"look at it"}'`)
    expect(decided.merged).toMatchObject({ decision: 'prompt', reason: 'hook hook 0: look at it' })
    expect((await answerOf('true')).merged).toEqual({})
  })

  it('then it is told the call as JSON, in the work folder', async () => {
    await answerOf('cat > seen.json')
    const seen: unknown = JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'))
    expect(seen).toMatchObject({ point: 'before_tool_call', tool: 'run_shell', turn: 1 })
    expect(seen).not.toHaveProperty('history')
  })

  it('when it exits with 2, then it refuses, for the reason that it wrote', async () => {
    const { merged } = await answerOf('echo "no releases" >&2; exit 2')
    expect(merged).toEqual({ decision: 'forbidden', reason: 'hook hook 0: no releases' })
  })

  it.each([
    ['crashes', 'echo broken >&2; exit 1', 'exit 1: broken'],
    ['is not there', 'no-such-guard', 'exit 127'],
    ['is killed', 'kill -9 $$', 'killed by SIGKILL'],
    ['prints no JSON', 'echo allowed', 'no JSON'],
    ['says what has no meaning here', `echo '{"block":true}'`, 'block'],
  ])('when it %s, then the call is refused, and it says why', async (_, command, why) => {
    const { merged } = await answerOf(command)
    expect(merged.decision).toBe('forbidden')
    expect(merged.reason).toContain(why)
  })

  it('when it hangs, then its time is over, the call is refused, and nothing of it is left', async () => {
    const { merged, ran } = await answerOf('sleep 300', { timeoutMs: 100 })
    expect(merged.decision).toBe('forbidden')
    expect(ran[0]?.effect).toBe('timed-out')
  })

  it('when its script was changed since it was registered, then it is not asked, and the call is refused', async () => {
    await writeFile(join(folder, 'guard.sh'), 'echo no >&2; exit 2')
    const pipeline = pipelineOf({ command: 'sh guard.sh' })
    await writeFile(join(folder, 'guard.sh'), 'exit 0')
    const { merged } = await pipeline.fire('before_tool_call', call())
    expect(merged.decision).toBe('forbidden')
    expect(merged.reason).toContain('guard.sh was changed')
  })

  const guard = 'import sys\nsys.exit(2)'
  const guarded = (script: string) => JSON.stringify({ scripts: { guard: script } })
  it.each([
    ['a package script', 'npm run -s guard', 'package.json', guarded('exit 2'), guarded('exit 0')],
    ['a file of a package script', 'npm run -s guard', 'named.sh', 'exit 2', 'exit 0'],
    ['a program in the work folder', '"$PWD/program.sh"', 'program.sh', 'exit 2', 'exit 0'],
    ['a module', 'python3 -m guards.first', 'guards/first.py', guard, 'pass'],
  ])(
    'when it is %s that was changed, then the call is refused, also where it may fail openly',
    async (...given) => {
      const [, command, file, before, after] = given
      await mkdir(join(folder, 'guards'), { recursive: true })
      await writeFile(join(folder, 'package.json'), guarded('sh named.sh'))
      await writeFile(join(folder, file), before)
      const pipeline = pipelineOf({ command, onFailure: 'open' })
      await writeFile(join(folder, file), after)
      const { merged } = await pipeline.fire('before_tool_call', call())
      expect(merged.decision).toBe('forbidden')
      expect(merged.reason).toContain(`${file} was changed`)
    },
  )

  it('when nothing of it can be fixed, then its programs are named', () => {
    const unfixed = (program: string, looksInProject: boolean) => [{ program, looksInProject }]
    expect(unfixedProgramsOf('npx a-guard', folder)).toEqual(expect.arrayContaining(unfixed('npx', true)))
    expect(unfixedProgramsOf('npm run -w other guard', folder)).toEqual(unfixed('npm', true))
    expect(unfixedProgramsOf('jq -e .tool', folder)).toEqual(unfixed('jq', false))
    expect(unfixedProgramsOf('npm run guard', folder)).toEqual([])
  })

  it('when it may fail openly, then the call is not refused', async () => {
    expect((await answerOf('exit 1', { onFailure: 'open' })).merged.decision).toBeUndefined()
  })
})

describe('given commands at other points', () => {
  it('then one at each of them is registered there', () => {
    const pipeline = pipelineOf(...hookPoints.map((point) => ({ point })))
    expect(hookPoints.filter((point) => !pipeline.has(point))).toEqual([])
  })

  it('then exit 2 is a veto where the work may be called not done', async () => {
    const pipeline = pipelineOf({ point: 'after_verification', command: 'echo "no docs" >&2; exit 2' })
    const { merged } = await pipeline.fire('after_verification', verified())
    expect(merged).toEqual({ veto: 'hook hook 0: no docs' })
  })

  it('then names are wrong usage where there are none', () => {
    expect(() => pipelineOf({ point: 'run_ended', match: 'x' })).toThrow('unknown key "match"')
  })
})
