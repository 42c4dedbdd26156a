import type { Approval } from '../../ports/gate.ts'

/** The answer to every question whose run was interrupted: nothing is approved any more. */
export const interrupted: Approval = {
  approved: false,
  by: 'interrupt',
  reason: 'the run was interrupted before anybody answered',
}
