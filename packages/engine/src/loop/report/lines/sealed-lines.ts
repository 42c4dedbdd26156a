import type { FactOf } from '@donecheck/core/events'
import { oneLine } from '@donecheck/core/base'
import { line, type Line } from './line.ts'

type Author = FactOf<'checks-sealed'>['authors'][number]

/** Who wrote checks that the drive never sees, what they cost, and every check that was dropped. */
export function sealedLines({ authors, checks, dropped }: FactOf<'checks-sealed'>): readonly Line[] {
  const written = authors.map((author) => {
    const own = checks.filter((check) => check.author === author.name).map(({ name }) => name)
    const names = own.length === 0 ? 'no sealed check' : own.join(', ')
    const text = `sealed by ${oneLine(author.name, 100)}: ${names} · ${costWords(author)}${problemWords(author)}`
    return line(own.length === 0 ? 'warning' : 'quiet', text)
  })
  const out = dropped.map(({ author, reason }) =>
    line('warning', `! a check of ${oneLine(author, 100)} was dropped: ${oneLine(reason, 300)}`),
  )
  return [...written, ...out]
}

function costWords({ costUsd }: Author): string {
  return costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(4)}`
}

function problemWords({ problem }: Author): string {
  return problem === undefined ? '' : ` · ${oneLine(problem, 300)}`
}
