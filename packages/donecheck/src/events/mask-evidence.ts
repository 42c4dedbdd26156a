import type { Evidence, TestCase } from './verdict.ts'

/** Rules, digests, folders and paths stay: the record is held together by them. */
export function maskEvidence(evidence: Evidence, mask: (text: string) => string): Evidence {
  switch (evidence.kind) {
    case 'note':
      return { ...evidence, text: mask(evidence.text) }
    case 'command': {
      const { head, tail } = evidence.output
      return {
        ...evidence,
        command: mask(evidence.command),
        output: { ...evidence.output, head: mask(head), tail: mask(tail) },
      }
    }
    case 'tests':
      return {
        ...evidence,
        failed: evidence.failed.map((test) => maskTest(test, mask)),
        skipped: evidence.skipped.map(mask),
      }
    case 'finding':
      return { ...evidence, message: mask(evidence.message) }
    case 'authority':
      return { ...evidence, by: mask(evidence.by), reason: mask(evidence.reason) }
    case 'file':
    case 'measure':
      return evidence
  }
}

function maskTest(test: TestCase, mask: (text: string) => string): TestCase {
  const masked = { ...test, name: mask(test.name) }
  return test.message === undefined ? masked : { ...masked, message: mask(test.message) }
}
