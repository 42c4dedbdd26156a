import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApprovalQuestion, Approver } from '../../ports/gate.ts'

export interface ApproverCase {
  readonly make: () => Approver
  /** Decision without an interrupt. */
  readonly approves: boolean
}

export function approvalQuestion(changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  return {
    runId: 'run-1',
    callId: 'call-1',
    tool: 'write_file',
    effect: 'write',
    args: { path: 'a.txt', content: 'text' },
    summary: 'write a.txt (new, 1 line)',
    reason: 'write_file changes files',
    ...changes,
  }
}

const never = new AbortController().signal
const hostileText = fc.string({ unit: 'binary', maxLength: 60 })
const hostileQuestion = fc
  .record({
    effect: fc.constantFrom('read' as const, 'write' as const, 'execute' as const),
    summary: hostileText,
    reason: hostileText,
    preview: hostileText,
    tool: hostileText,
  })
  .map(approvalQuestion)

/** Every approver answers, with who and why, and approves nothing after an interrupt (ports.ts). */
export function approverContract(name: string, { make, approves }: ApproverCase): void {
  describe(`${name} is an approver`, () => {
    test.prop([hostileQuestion], { numRuns: 20 })(
      'answers every question, whatever is in it',
      async (question) => {
        const approval = await make().ask(question, never)
        expect(approval.approved).toBe(approves)
        expect(approval.by).not.toBe('')
        expect(approval.reason).not.toBe('')
      },
    )

    it('answers questions that are asked at the same time', async () => {
      const approver = make()
      const questions = ['1', '2', '3'].map((callId) => approvalQuestion({ callId }))
      const approvals = await Promise.all(questions.map((question) => approver.ask(question, never)))
      expect(approvals.map(({ approved }) => approved)).toEqual([approves, approves, approves])
    })

    it('approves nothing once the run is interrupted', async () => {
      const approval = await make().ask(approvalQuestion(), AbortSignal.abort())
      expect(approval).toMatchObject({ approved: false, by: 'interrupt' })
      expect(approval.reason).not.toBe('')
    })
  })
}
