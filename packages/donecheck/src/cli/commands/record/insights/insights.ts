import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { dimensions, insightsOf, insightsPage, type Dimension } from '@donecheck/engine/insights'
import type { CliIo } from '../../../process/io.ts'
import { insightsText } from './insights-text.ts'
import { runsInQuestion, type QuestionFlags } from './known-runs.ts'

export interface InsightsFlags extends QuestionFlags {
  readonly html?: string
  readonly by?: string
}

/** What the runs on record say together: on the terminal, as JSON, and as a page in a file. */
export async function insightsCommand(flags: InsightsFlags, io: CliIo): Promise<number> {
  const { html, by, json, ...asked } = flags
  const { rows, scope } = await runsInQuestion(asked, io, Date.now())
  const insights = insightsOf(rows)
  if (html !== undefined)
    await writeFile(
      resolve(io.currentFolder, html),
      insightsPage(insights, { title: 'Runs on record', scope }),
    )
  if (json === true) io.stdout.write(`${JSON.stringify({ scope, ...insights })}\n`)
  else if (html !== undefined) io.stdout.write(`wrote ${html}\n`)
  else io.stdout.write(insightsText(insights, { scope, by: dimensionOf(by), isUnicode: isUnicode(io) }))
  return 0
}

function dimensionOf(by: string | undefined): Dimension {
  return dimensions.find((one) => one === by) ?? 'model'
}

/** As the locale says it. */
function isUnicode({ environment }: CliIo): boolean {
  const locale = [environment['LC_ALL'], environment['LC_CTYPE'], environment['LANG']].find((one) => one)
  return /utf-?8/i.test(locale ?? '')
}
