/** A run as one file: the page with its script, its stylesheet and the record inside. It asks nobody, and opens without a network. */
import { createHash } from 'node:crypto'
import { UsageError } from '@donecheck/engine/base'
import type { Explanation } from '@donecheck/engine/report'
import type { RunSummary } from '@donecheck/engine/ports/store'
import type { RunEvent } from '@donecheck/core/events'
import { readPageFiles, type PageFile } from './page-files.ts'

/** What a report has inside. */
export interface ReportedRun {
  readonly run: RunSummary
  readonly explanation: Explanation
  readonly events: readonly RunEvent[]
  /** Long outputs, by digest. */
  readonly attachments: Readonly<Record<string, string>>
}

/** The whole HTML document. @throws {UsageError} where the page was not built */
export function reportPage(report: ReportedRun, files = readPageFiles()): string {
  const script = insideScript(textOf(files, '.js'))
  const style = textOf(files, '.css').replaceAll('</', String.raw`<\/`)
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>donecheck report</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="donecheck-run">${insideJson(embedded(report))}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

/** As the page reads it: a run of a list, without its figures. */
function embedded({ run, ...record }: ReportedRun): object {
  return { ...record, run: { ...run, failing: [] } }
}

function textOf(files: ReadonlyMap<string, PageFile>, ending: string): string {
  const texts = [...files]
    .filter(([path]) => path.endsWith(ending))
    .map(([, { content }]) => decoder.decode(content))
  if (texts.length === 1) return texts.join('')
  throw new UsageError('the page was not built: run npm run build in the repository of donecheck')
}

const decoder = new TextDecoder()

/** Nothing in it may end the element that it stands in, or begin what HTML reads as a comment: in a text, a backslash changes nothing. */
function insideScript(script: string): string {
  return script.replaceAll(/<(?=\/script|script|!--)/gi, String.raw`\x3C`)
}

/** No less-than sign at all: no text of a model can end the element. */
function insideJson(value: object): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
