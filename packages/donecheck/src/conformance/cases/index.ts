/** The table of all cases. */
import type { Case } from './case.ts'
import { flakyCases, missingCases, slowCases } from './checks.ts'
import { budgetCases, crashCases, greenCases } from './ends.ts'
import { liarCases } from './liars.ts'
import { looperCases, waiterCases } from './loopers.ts'
import { tampererCases } from './tamperers.ts'
import { honestCases, lazyCases } from './workers.ts'

export const cases: readonly Case[] = [
  ...[...honestCases, ...lazyCases, ...liarCases, ...tampererCases, ...looperCases, ...waiterCases],
  ...[...flakyCases, ...slowCases, ...greenCases, ...crashCases, ...budgetCases, ...missingCases],
]
