import { hash } from 'node:crypto'
import type { GuardResponse, Waiver } from '../../events/index.ts'
import {
  defaultResponses,
  responseTo,
  type ProtectOptions,
  type Responses,
  type TamperFinding,
} from '../../tamper/index.ts'
import type { TreeChange } from './changes.ts'
import { covers, waiverFor, type TamperGuardOptions } from './options.ts'

/** A finding, and what is done about it. */
export interface Ruling {
  readonly finding: TamperFinding
  readonly response: GuardResponse
  readonly waiver?: Waiver
  /** Said beside the finding, such as why it is not restored. */
  readonly remark?: string
}

export interface RulingContext {
  readonly options: TamperGuardOptions
  readonly protect: ProtectOptions
  readonly changes: ReadonlyMap<string, TreeChange>
  readonly nowMs: number
}

/** What is done about each finding, before anybody is asked. What cannot be put back is refused. */
export function rule(findings: readonly TamperFinding[], context: RulingContext): readonly Ruling[] {
  const { options, protect, nowMs } = context
  const responses: Responses = { ...defaultResponses, ...options.responses }
  const waivers = options.waivers ?? []
  return findings.map((finding) => {
    const response = responseTo(finding, responses, protect)
    const waiver = waiverFor(finding, waivers, nowMs)
    if (waiver !== undefined) {
      const { by, until, reason } = waiver
      return { finding, response, waiver: { by, until, reason } }
    }
    const expired = waivers.find((known) => covers(known, finding))
    const late =
      expired === undefined ? {} : { remark: `the waiver of ${expired.by} expired on ${expired.until}` }
    if (
      response !== 'restore' ||
      finding.rule === 'process.left-over' ||
      isRestorable(finding, context.changes)
    )
      return { finding, response, ...late }
    return { finding, response: 'refuse', remark: 'it cannot be put back for the check alone' }
  })
}

function isRestorable({ path }: TamperFinding, changes: RulingContext['changes']): boolean {
  const change = changes.get(path)
  if (change === undefined) return false
  return change.earlier === undefined || change.earlier.isKept
}

/** Those with that response, waived ones left out. */
export function ruledAs(rulings: readonly Ruling[], response: GuardResponse): readonly Ruling[] {
  return rulings.filter((ruling) => ruling.response === response && ruling.waiver === undefined)
}

/** The same finding at another time. */
export function keyOf({ rule, path }: TamperFinding): string {
  return `${rule} ${path}`
}

/** The same finding on the same content: an answer about one does not hold for another. */
export function contentKeyOf(finding: TamperFinding, changes: RulingContext['changes']): string {
  const content = changes.get(finding.path)?.after?.digest ?? 'none'
  return hash('sha256', `${keyOf(finding)}\0${content}\0${finding.message}`)
}
