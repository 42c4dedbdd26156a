import type { Cut } from '../../secrets/index.ts'
import type { Evidence, TestCase } from '../verdicts/index.ts'

type Mask = (text: string, cut?: Cut) => string

/** Rules, digests, folders and paths stay: the record is held together by them. */
export function maskEvidence(evidence: Evidence, mask: Mask): Evidence {
  switch (evidence.kind) {
    case 'note':
      return { ...evidence, text: mask(evidence.text) }
    case 'command': {
      const { head, tail, omittedBytes } = evidence.output
      const isCut = omittedBytes > 0
      return {
        ...evidence,
        command: mask(evidence.command),
        output: {
          ...evidence.output,
          head: mask(head, isCut ? 'end' : undefined),
          tail: mask(tail, isCut ? 'start' : undefined),
        },
      }
    }
    case 'tests':
      return {
        ...evidence,
        failed: evidence.failed.map((test) => maskTest(test, mask)),
        skipped: evidence.skipped.map((name) => mask(name)),
      }
    case 'finding':
      return { ...evidence, message: mask(evidence.message) }
    case 'authority':
      return { ...evidence, by: mask(evidence.by), reason: mask(evidence.reason) }
    case 'judge': {
      const quotes = evidence.quotes.map((quote) => ({ ...quote, text: mask(quote.text) }))
      return { ...evidence, reason: mask(evidence.reason), quotes }
    }
    case 'file':
    case 'measure':
      return evidence
  }
}

function maskTest(test: TestCase, mask: Mask): TestCase {
  const masked = { ...test, name: mask(test.name) }
  return test.message === undefined ? masked : { ...masked, message: mask(test.message) }
}
