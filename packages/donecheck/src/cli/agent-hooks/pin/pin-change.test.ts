import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  sessionFileOf,
  writeSessionFile,
  type SessionConfiguration,
} from '@donecheck/agents/internal/session'
import { pinChangeOf, questionOf, checksText } from './pin-session.ts'

const pinned = (...until: readonly string[]): SessionConfiguration => ({
  workFolder: '/srv/shop',
  config: { until: until.map((command) => ({ command })) },
})

async function withPin(
  known: SessionConfiguration | undefined,
  work: (place: Parameters<typeof pinChangeOf>[1]) => Promise<void> | void,
): Promise<void> {
  const homeFolder = await mkdtemp(join(tmpdir(), 'donecheck-pin-'))
  const place = { environment: {}, homeFolder, workFolder: '/srv/shop' }
  try {
    if (known !== undefined) writeSessionFile(place, known)
    await work(place)
  } finally {
    await rm(homeFolder, { recursive: true })
  }
}

describe('given checks that are pinned already', () => {
  it('then another check is shown beside the old one, and asked for by name', async () => {
    await withPin(pinned('npm test'), (place) => {
      const change = pinChangeOf(pinned('true'), place)
      expect(change.before).toContain('npm test')
      expect(change.after).toContain('"true"')
      expect(questionOf(change, pinned('true'))).toBe('Check true from now on, and no longer npm test?')
    })
  })

  it('then the same check in another way is asked for too', async () => {
    await withPin(pinned('npm test'), (place) => {
      const wanted = { ...pinned('npm test'), onBrokenCheck: 'allow-stop' } as const
      const change = pinChangeOf(wanted, place)
      expect(change.before).not.toBe(change.after)
      expect(questionOf(change, wanted)).toContain('Change how npm test is checked')
    })
  })

  it('then the same again, or nothing, changes nothing', async () => {
    await withPin(pinned('npm test'), (place) => {
      for (const wanted of [pinned('npm test'), undefined]) {
        const change = pinChangeOf(wanted, place)
        expect(change.before).toBe(change.after)
        expect(questionOf(change, wanted)).toBe('Change these files?')
      }
    })
  })
})

describe('given nothing that could be read', () => {
  it('then it is new', async () => {
    await withPin(undefined, (place) => {
      expect(pinChangeOf(pinned('npm test'), place)).toMatchObject({ known: undefined, before: undefined })
    })
  })

  it('then what is broken is replaced', async () => {
    await withPin(pinned('npm test'), async (place) => {
      await writeFile(sessionFileOf(place), '{')
      expect(pinChangeOf(pinned('npm test'), place).before).toBeUndefined()
    })
  })
})

it('held-out checks are counted, and not named', () => {
  const config = { until: [{ command: 'npm test' }], presets: ['lint'], heldOut: [{ command: 'secret' }] }
  expect(checksText({ config })).toBe('npm test, the preset lint, a held-out check')
})

it('judges, and checks that are no command, are named too', () => {
  const config = {
    checks: [
      { kind: 'text', requires: ['done'] },
      { kind: 'judge', name: 'tone', rubric: 'It is kind.' },
    ],
    judge: { models: ['openai/gpt-5', 'google/gemini-2.5-flash'] },
  }
  expect(checksText({ config })).toBe(
    'the check text, the check tone, the judge openai/gpt-5, as far as it may decide, the judge google/gemini-2.5-flash, as far as it may decide',
  )
})
