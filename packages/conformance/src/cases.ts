import type { Case } from './case.ts'
import {
  budgetCases,
  crashCases,
  greenCases,
  honestCases,
  lazyCases,
  liarCases,
  looperCases,
  waiterCases,
} from './agents.ts'
import { flakyCases, missingCases, slowCases, tampererCases } from './checks.ts'

export const cases: readonly Case[] = [
  ...[...honestCases, ...lazyCases, ...liarCases, ...tampererCases, ...looperCases, ...waiterCases],
  ...[...flakyCases, ...slowCases, ...greenCases, ...crashCases, ...budgetCases, ...missingCases],
]
