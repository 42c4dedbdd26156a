/** The page in a real browser, over recorded runs: what a person sees, with the keyboard alone, with any colours, on a phone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { begun, sampleTurns, stamp } from '@donecheck/core/testing'
import { modelCalled, modelFailed } from '@donecheck/core/internal/testing/facts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../architecture/read-tree.ts'
import { describeInBrowser, expectToFit, launchBrowser, openPage, violationsOn } from './browser.ts'
import { longRun, takeInRecordings } from './runs.ts'
import { serveStore, type Served } from './served.ts'

const built = join(repositoryRoot, 'packages/server/dist/page/assets')

describe('given the page as it was built', () => {
  it('weighs at most 120 kB, packed, scripts and styles together', () => {
    const sizes = readdirSync(built).map(
      (file) => gzipSync(readFileSync(join(built, file)), { level: 9 }).length,
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000)
  })
})

const waitingRun = stamp(
  [
    begun(),
    modelCalled(1),
    modelFailed({ kind: 'usage-limited', resetsAtMs: Date.now() + 3_600_000 }),
    { type: 'wait-started', for: 'limit', untilMs: Date.now() + 3_600_000, reason: 'limit reached' },
  ],
  { runId: 'run-waits', startMs: Date.now() },
)

describeInBrowser('given recorded runs', () => {
  let browser: Browser
  let served: Served
  let ids: ReadonlyMap<string, string>
  const open = (path: string, options = {}) => openPage(browser, [served.link, served.url + path], options)
  const idOf = (recording: string) => ids.get(recording) ?? ''

  beforeAll(async () => {
    browser = await launchBrowser()
    served = await serveStore()
    ids = await takeInRecordings(served.store)
    await served.store.append(0, longRun(12, 'run-long'), null)
    await served.store.append(0, waitingRun, null)
    for (let index = 0; index < 50; index += 1)
      await served.store.append(0, sampleTurns(1, { runId: `run-open-${index}` }), null)
  })
  afterAll(async () => {
    await browser.close()
    await served[Symbol.asyncDispose]()
  })

  it('lists them, latest first, page by page, and finds those that are wanted', async () => {
    const { page, complaints } = await open('/')
    const rows = page.locator('table.runs tbody tr')
    await expect.poll(() => rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Show earlier runs' }).click()
    await expect.poll(() => rows.count()).toBe(52 + ids.size)
    await page.getByLabel('outcome').selectOption('exhausted')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.first().textContent()).toContain('hard_cap')
    await page.getByLabel('outcome').selectOption('')
    await page.getByLabel('Search tasks').fill('REPORT.TXT')
    await expect.poll(() => rows.count()).toBeLessThan(12)
    expect(page.url()).toContain('text=REPORT.TXT')
    expect(complaints).toEqual([])
  })

  it('says of a run that waits for what, and until when', async () => {
    const { page, complaints } = await open('/?open=1')
    const row = page.locator('table.runs tbody tr').first()
    await expect.poll(() => row.textContent()).toMatch(/waiting.*usage limit until \d\d/)
    await row.getByRole('link').click()
    const banner = page.getByRole('region', { name: 'How it ended' })
    await expect.poll(() => banner.textContent()).toMatch(/waiting.*usage limit until \d\d/)
    expect(complaints).toEqual([])
  })

  it('says of one why it stopped first, and leads to everything that it rests on', async () => {
    const { page, complaints } = await open(`/runs/${idOf('exhausted')}`)
    const banner = page.getByRole('region', { name: 'How it ended' })
    await expect.poll(() => banner.textContent()).toMatch(/exhausted.*hard_cap · iterations.*--top-up turns=/)
    await page.getByRole('button', { name: /grep -q DONE report.txt, turn 0: failed/ }).click()
    await expect.poll(() => page.locator('.verdict').textContent()).toContain('No such file or directory')
    expect(await page.locator('.meters').textContent()).toContain('4 of 4')
    await page.getByRole('button', { name: /^events/i }).click()
    await page
      .getByRole('option', { name: /tool-refused/ })
      .first()
      .click()
    await page.getByText('On record').click()
    expect(await page.locator('.detail pre').last().textContent()).toContain('"type": "tool-refused"')
    await page.getByLabel('Search events').fill('write_file')
    await expect.poll(() => page.getByRole('option').count()).toBeLessThan(20)
    await page.getByRole('button', { name: /^changes/i }).click()
    await expect.poll(() => page.locator('.diff .added').first().textContent()).toContain('draft')
    expect(complaints).toEqual([])
  })

  it('compares two, or two sets, and sums all of them up', async () => {
    const { page, complaints } = await open(
      `/compare?a=${idOf('exhausted')}&b=${idOf('claimed-then-verified')}`,
    )
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).textContent()
    await expect.poll(() => row('Turns')).toMatch(/Turns4\d+[+−=]/)
    await page.getByLabel('What to compare, a').fill('aggregate:deterministic-veto')
    await page.getByLabel('What to compare, b').fill('model:test/model')
    await page.keyboard.press('Enter')
    await expect
      .poll(() =>
        page
          .getByRole('row', { name: /^Verified/ })
          .first()
          .textContent(),
      )
      .toMatch(/%/)
    await page.getByRole('link', { name: 'Insights' }).click()
    await expect
      .poll(() => page.getByRole('list', { name: 'Verified, by week' }).textContent())
      .toMatch(/\d %/)
    expect(await page.getByRole('list', { name: 'Runs by reason' }).textContent()).toContain('task_complete')
    expect(complaints).toEqual([])
  })

  it('is used with the keyboard alone', async () => {
    const { page } = await open('/')
    await page.locator('table.runs').waitFor()
    await page.keyboard.press('?')
    await expect.poll(() => page.getByRole('dialog').textContent()).toContain('next run')
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('report.txt')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('table.runs tbody tr').count()).toBeLessThan(12)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'How it ended' }).waitFor()
    await page.keyboard.press('3')
    const list = page.getByRole('listbox', { name: 'Events' })
    await list.focus()
    for (const key of ['j', 'j', 'ArrowDown']) await page.keyboard.press(key)
    await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toMatch(/^3/)
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Insights' }).waitFor()
  })

  const places = () => [
    ['/', '.runs'],
    [`/runs/${idOf('exhausted')}`, '.matrix'],
    ['/runs/run-long?tab=turns', '.virtual-row'],
    ['/runs/run-long?tab=events&at=9', '.detail'],
    ['/runs/run-long?tab=changes', '.diff'],
    ['/runs/run-long?tab=goal', '.goal'],
    [`/compare?a=${idOf('exhausted')}&b=${idOf('blocked')}`, '.comparison'],
    ['/insights', '.bars'],
    ['/approvals', '.nothing'],
  ]

  it.each([
    ['in light and dark colours', ['light', 'dark'], {}],
    ['on a phone', ['light'], { viewport: { width: 390, height: 800 } }],
  ] as const)('can be read by everybody, %s', async (_, colorSchemes, options) => {
    const { page, complaints } = await open('/', options)
    for (const [path = '', shown = ''] of places()) {
      await page.goto(served.url + path)
      await page.locator(shown).first().waitFor({ state: 'attached' })
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme })
        expect(await violationsOn(page), `${path}, ${colorScheme}`).toEqual([])
      }
      await expectToFit(page)
    }
    expect(complaints).toEqual([])
  })
})
