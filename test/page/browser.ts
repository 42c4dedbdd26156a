/** The browser that is installed here, or none: it is never downloaded. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { z } from 'zod'

export const browserPath = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path))

/** Without a browser its tests are counted as skipped. */
export const describeInBrowser = describe.skipIf(browserPath === undefined)

export function launchBrowser(): Promise<Browser> {
  // In a container of CI everybody is root, for whom it has no sandbox of its own.
  return chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] })
}

export interface Opened {
  readonly page: Page
  /** What the browser complained of: errors of scripts, what the policy refused, what was not there. */
  readonly complaints: readonly string[]
}

/** @param addresses one after the other: of a service first the one that logs in */
export async function openPage(
  browser: Browser,
  addresses: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  // A machine may be busy; what does not come in this time does not come.
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text())
  })
  for (const address of addresses) await page.goto(address)
  return { page, complaints }
}

const answer = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
})

/** What axe finds against WCAG 2.1 AA and good practice. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = answer.parse(await page.evaluate('axe.run()'))
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

/** Nothing has to be pushed aside to be read. */
export async function expectToFit(page: Page): Promise<void> {
  const width = z.number().parse(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  expect(width).toBeLessThanOrEqual(0)
}
