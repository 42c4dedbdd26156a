import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Fact } from '@donecheck/core/internal/events'
import { evolve, type RunState } from '@donecheck/core/internal/state'
import { runStarted, stamp } from '@donecheck/core/testing'
import {
  approvalGiven,
  approvalRequested,
  goalSet,
  modelCalled,
  modelProposed,
  runStopped,
  toolCall,
} from '@donecheck/core/internal/testing/facts'
import type { Config } from '../../../config/index.ts'
import { notifierOf } from './notify.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-notify-'))
})
afterEach(() => rm(folder, { recursive: true }))

const begins = [
  runStarted(),
  goalSet('mend it'),
  modelCalled(1),
  modelProposed(toolCall('call-1', 'run_shell', {})),
]
const asks = approvalRequested('call-1', 'rm -r x\u001b]0;<b>\u0007')
const ended = runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens', message: 'tokens: 5 of 5' })

interface Scene {
  readonly facts: readonly Fact[]
  /** Milliseconds between two events. */
  readonly stepMs?: number
  /** Whether the person stays away after the last event, so that timers fire. */
  readonly isAway?: boolean
  readonly config?: Config
  readonly isTerminal?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

/** Returns terminal output and reports of failed commands. */
async function told({
  facts,
  stepMs = 1,
  isAway = false,
  config = {},
  isTerminal = true,
  environment = {},
}: Scene) {
  const stderr = Object.assign(new PassThrough(), { isTTY: isTerminal })
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const due = new Set<() => void>()
  const notices: string[] = []
  const notifier = notifierOf({
    config,
    workFolder: folder,
    io: {
      stdin,
      stdout,
      stderr,
      environment: { PATH: `${folder}:/usr/bin:/bin`, ...environment },
      currentFolder: folder,
      homeFolder: folder,
    },
    notice: (message) => notices.push(message),
    schedule(work) {
      due.add(work)
      return () => void due.delete(work)
    },
  })
  let state: RunState | undefined
  for (const event of stamp([...facts], { stepMs })) {
    state = evolve(state, event)
    notifier.event(event, state)
  }
  if (isAway) for (const work of due) work()
  await notifier.close()
  stderr.end()
  return { written: await text(stderr), notices }
}

const osc9 = '\u001b]9;donecheck: '
const bell = '\u0007'

describe('given a person at a terminal', () => {
  it('a question that waits is told by the terminal, and nothing of a model controls it', async () => {
    const { written } = await told({ facts: [...begins, asks], isAway: true })
    expect(written).toBe(`${osc9}question: rm -r x\\x1b]0;<b>\\x07${bell}`)
    const { written: other } = await told({
      facts: [...begins, asks],
      isAway: true,
      environment: { TERM: 'foot' },
    })
    expect(other).toBe(`\u001b]777;notify;donecheck;question: rm -r x\\x1b]0;<b>\\x07${bell}`)
  })

  it('one that is answered in time is not', async () => {
    expect((await told({ facts: [...begins, asks, approvalGiven('call-1')], isAway: true })).written).toBe('')
  })

  it.each([
    ['a long run', 4_000, ended, `${osc9}ended: tokens: 5 of 5${bell}`],
    ['a run that was over at once', 1, ended, ''],
    ['a run that they have interrupted', 4_000, runStopped('user_interrupt', { outcome: 'interrupted' }), ''],
  ])('the end of %s', async (_, stepMs, end, expected) => {
    expect((await told({ facts: [...begins, end], stepMs })).written).toBe(expected)
  })

  it.each<[string, Omit<Scene, 'facts'>]>([
    ['at a pipe', { isTerminal: false }],
    ['in CI', { environment: { CI: 'true' } }],
    ['with notify: false', { config: { notify: false } }],
    ['at a terminal that knows no notifications', { environment: { TERM: 'linux' } }],
  ])('nothing is written %s', async (_, scene) => {
    expect(
      (await told({ facts: [...begins, asks, ended], stepMs: 4_000, isAway: true, ...scene })).written,
    ).toBe('')
  })

  it('a desktop tells it in place of the terminal, unless it cannot', async () => {
    const scene = { facts: [...begins, asks], isAway: true, environment: { DISPLAY: ':0' } }
    const program = join(folder, 'notify-send')
    await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" >"$(dirname "$0")/shown"\n`)
    await chmod(program, 0o755)
    expect((await told(scene)).written).toBe('')
    expect(await readFile(join(folder, 'shown'), 'utf8')).toContain(
      'question: rm -r x\\x1b]0;&lt;b&gt;\\x07\n',
    )
    await writeFile(program, '#!/bin/sh\nexit 1\n')
    expect((await told(scene)).written).toContain(osc9)
  })
})

describe('given a command of the user', () => {
  it('it is told of every end by JSON on its standard input, also without a terminal', async () => {
    const config = { notifyCommand: 'cat >told.json' }
    await told({ facts: [...begins, ended], config, isTerminal: false })
    expect(JSON.parse(await readFile(join(folder, 'told.json'), 'utf8'))).toEqual({
      event: 'ended',
      runId: 'run-1',
      task: 'mend it',
      reason: 'hard_cap',
      outcome: 'exhausted',
      text: 'tokens: 5 of 5',
    })
  })

  it('one that fails is told, and the run ends as it does', async () => {
    const { notices } = await told({ facts: [...begins, ended], config: { notifyCommand: 'exit 3' } })
    expect(notices).toEqual(['notifyCommand ended with 3'])
  })
})
