/** `donecheck ci comment`: the report as one comment of a pull or merge request, which later jobs write anew. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { messageOf } from '@donecheck/engine/base'
import { reportFailure } from '../../../process/failure.ts'
import type { CliIo } from '../../../process/io.ts'
import { orUsageError } from '../../../process/usage-error.ts'
import { commentHost, type CommentHost } from './comment-hosts.ts'

export interface CommentFlags {
  readonly name?: string
}

/** GitHub takes no comment above 65,536 characters. */
const maxBody = 60_000

/** A comment is news: that there can be none is told, and fails no job. */
export async function commentCommand(file: string, flags: CommentFlags, io: CliIo): Promise<number> {
  try {
    const place = resolve(io.currentFolder, file)
    const report = orUsageError(
      () => readFileSync(place, 'utf8'),
      () => `there is no report ${place}; "donecheck ci --report" writes one`,
    )
    const host = commentHost(io.environment)
    if (typeof host === 'string') return say(`no comment: ${host}`, io)
    const marker = `<!-- donecheck: ${encodeURIComponent(flags.name ?? host.job)} -->`
    const body = `${marker}\n${report.slice(0, maxBody).toWellFormed()}`
    try {
      return say(await writeComment(host, marker, body), io)
    } catch (error) {
      return say(`no comment: ${messageOf(error)}`, io)
    }
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

function say(text: string, io: CliIo): number {
  io.stderr.write(`donecheck: ${text}\n`)
  return 0
}

async function writeComment(host: CommentHost, marker: string, body: string): Promise<string> {
  const known = await findComment(host, marker)
  if (known === undefined) await ask(host, host.comments, { method: 'POST', body })
  else await ask(host, host.comment(known), { method: host.updateMethod, body })
  return known === undefined ? 'comment written' : 'comment written anew'
}

const perPage = 100
/** More than any request has: an answer that never ends is not followed for ever. */
const maxPages = 100

const comments = z.array(z.looseObject({ id: z.number(), body: z.string().nullish() }))

/** The first of our own that begins with the marker. What others wrote is left alone, whatever it begins with. */
async function findComment(host: CommentHost, marker: string): Promise<number | undefined> {
  const isOwn = await host.ownComments((url) => ask(host, url))
  for (let page = 1; page <= maxPages; page += 1) {
    const found = comments.parse(await ask(host, `${host.comments}?per_page=${perPage}&page=${page}`))
    const own = found.find((comment) => comment.body?.startsWith(marker) === true && isOwn(comment))
    if (own !== undefined) return own.id
    if (found.length < perPage) return undefined
  }
  return undefined
}

interface Change {
  readonly method: string
  readonly body: string
}

/** @throws {Error} where the host refuses, with the way out */
async function ask(host: CommentHost, url: string, change?: Change): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { ...host.headers, accept: 'application/json', 'content-type': 'application/json' },
    ...(change === undefined ? {} : { method: change.method, body: JSON.stringify({ body: change.body }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  })
  if ([401, 403, 404].includes(answer.status))
    throw new Error(`${host.host} refuses it (HTTP ${answer.status}): ${host.wayOut}`)
  if (!answer.ok) throw new Error(`${host.host} answered with HTTP ${answer.status}`)
  return answer.json()
}
