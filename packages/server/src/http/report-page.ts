import { createHash } from 'node:crypto'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Explanation } from '@donecheck/engine/display'
import { runRow } from '@donecheck/engine/internal/insight/insights'
import { buildRunItem } from '../api/index.ts'
import type { RunSummary } from '@donecheck/engine/internal/ports/store'
import type { RunEvent } from '@donecheck/core/internal/events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import * as sea from 'node:sea'

export interface ReportedRun {
  readonly run: RunSummary
  readonly explanation: Explanation
  readonly events: readonly RunEvent[]
  readonly attachments: Readonly<Record<string, string>>
}

/** Returns the full HTML document of a report. @throws {UsageError} if the web UI was not built */
export function reportPage(report: ReportedRun, files = readPageFiles()): string {
  const script = escapeScript(readOnlyFile(files, '.js'))
  const style = readOnlyFile(files, '.css').replaceAll('</', String.raw`<\/`)
  const policy = [
    "default-src 'none'",
    `script-src '${hashForPolicy(script)}'`,
    `style-src '${hashForPolicy(style)}'`,
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
<script type="application/json" id="donecheck-run">${escapeJson(buildEmbeddedRun(report))}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

function buildEmbeddedRun({ run, ...record }: ReportedRun): object {
  return { ...record, run: buildRunItem(run, runRow(record.events)) }
}

function readOnlyFile(files: ReadonlyMap<string, PageFile>, ending: string): string {
  const texts = [...files]
    .filter(([path]) => path.endsWith(ending))
    .map(([, { content }]) => decoder.decode(content))
  if (texts.length === 1) return texts.join('')
  throw new UsageError('The web UI was not built. In a checkout, run: npm run build')
}

const decoder = new TextDecoder()

/** Escapes text that could end the script element or start an HTML comment; `\x3C` is `<` in JavaScript. */
function escapeScript(script: string): string {
  return script.replaceAll(/<(?=\/script|script|!--)/gi, String.raw`\x3C`)
}

/** Escapes every less-than sign, so no text can end the element. */
function escapeJson(value: object): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}

function hashForPolicy(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

export interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>
  readonly type: string
  /** The name contains a content digest, so it can be cached forever. */
  readonly isHashed: boolean
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const pageFolder = join(import.meta.dirname, '../../dist/page')

/** Returns all files of the web UI, so that requests never read the disk; empty if it was not built. */
export function readPageFiles(folder = pageFolder): ReadonlyMap<string, PageFile> {
  const built = sea.isSea() ? readFromExecutable() : readFromFolder(folder)
  return new Map(
    built.flatMap(([address, content]): [string, PageFile][] => {
      const type = types[extname(address)]
      return type === undefined
        ? []
        : [[address, { content, type, isHashed: address.startsWith('/assets/') }]]
    }),
  )
}

type BuiltFile = readonly [address: string, content: Uint8Array<ArrayBuffer>]

function readFromFolder(folder: string): readonly BuiltFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`/${relative(folder, path).split(sep).join('/')}`, new Uint8Array(readFileSync(path))])
}

/** The single executable embeds the files. */
function readFromExecutable(): readonly BuiltFile[] {
  return sea.getAssetKeys().map((address) => [address, new Uint8Array(sea.getAsset(address))])
}
