/** Checks that can say nothing: the agent is held or allowed to stop, as it was installed, and never verified. */
import { beforeAll, expect, it } from 'vitest'
import { atMost, describeWith, mends, type Ended } from '../kit/index.ts'
import {
  go,
  shown,
  statusOf,
  testTimeoutMs,
  withHooks,
  type HookedAgent,
  type Status,
} from './hooked-agent.ts'

interface BrokenChecks {
  readonly how: string
  readonly install: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** What is said of each. None: a busy machine may leave no time to say it. */
  readonly why: readonly string[]
}

const checks = { until: ['no-such-checker', { command: 'sleep 60', timeoutSeconds: 1 }], presets: ['tests'] }

const endlessCheck: BrokenChecks = {
  how: 'one does not end in the time of the hook',
  install: ['--until', 'sleep 60', '--hook-timeout', '10'],
  why: [],
}

const brokenChecks: readonly BrokenChecks[] = [
  {
    how: 'one is missing, one does not end, and one prints nonsense',
    install: [],
    files: {
      'donecheck.config.json': JSON.stringify(checks),
      'package.json': '{ "scripts": { "test": "echo ok ok 100% fine" } }\n',
    },
    why: ['its program no-such-checker was not found', 'did not finish within 1 s'],
  },
  endlessCheck,
]

const choices = ['hold', 'allow-stop'] as const

interface Row extends BrokenChecks {
  readonly choice: (typeof choices)[number]
}

interface Seen {
  readonly ended: Ended
  readonly status: Status | undefined
  readonly told: readonly string[]
}

/** All of them, which are the same for all agents. */
export function tellsOfBrokenChecks(agent: HookedAgent): void {
  tellsOf(
    agent,
    choices.flatMap((choice) => brokenChecks.map((broken) => ({ ...broken, choice }))),
  )
}

/** That alone which hangs on how the agent counts the time of a hook. */
export function tellsOfEndlessChecks(agent: HookedAgent): void {
  tellsOf(agent, [{ ...endlessCheck, choice: 'hold' }])
}

function tellsOf(agent: HookedAgent, rows: readonly Row[]): void {
  describeWith(
    agent.name,
    `given ${agent.installedAs} that says it is done, and checks that can say nothing`,
    () => {
      let runs: readonly Promise<Seen>[] = []
      beforeAll(() => {
        runs = atMost(
          3,
          rows.map((row) => () => run(agent, row)),
        )
      })
      it.each(rows.map((row, index) => ({ ...row, index })))(
        '--on-broken-check $choice is no pass where $how',
        async ({ index, choice, why }) => {
          const seen = await runs[index]
          if (seen === undefined) throw new TypeError('there is a run for each row')
          const { ended, status, told } = seen
          expect(ended.exitCode, shown(ended)).toBe(0)
          expect(status?.outcome, JSON.stringify(status)).not.toBe('verified')
          // The work, the claim, and the blocked stop.
          expect(told.length).toBeLessThanOrEqual(3)
          if (why.length === 0) return
          expect(['blocked', 'exhausted'], JSON.stringify(status)).toContain(status?.outcome)
          // The first two are the work and the claim.
          const blocked = told.slice(2).join('\n')
          if (choice === 'allow-stop') expect(told).toHaveLength(2)
          for (const each of why) {
            expect(JSON.stringify(status?.checks)).toContain(each)
            if (choice === 'hold') expect(blocked).toContain(each)
          }
        },
        testTimeoutMs,
      )
    },
  )
}

async function run(agent: HookedAgent, { install, files = {}, choice }: Row): Promise<Seen> {
  const steps = [mends(agent.name), { text: 'All works.' }]
  const words = [...install, '--on-broken-check', choice, '--max-blocked-stops', '1']
  return withHooks(agent, { steps, install: words, files }, async (place) => {
    const ended = await go(agent, place)
    return { ended, status: await statusOf(place), told: place.server.turns.map(({ told }) => told) }
  })
}
