/** Whether two sets of runs on record differ: rates with intervals, tests, and the sample that would decide. */
export { compareRuns } from './compare.ts'
export type { Comparison, Mean, MeanComparison, RateComparison } from './compare.ts'
export { casesToDecide, differenceInterval, fisherTest, permutationTest, type Cases } from './difference.ts'
export { sideKinds, sideOf, type Side, type SideKind } from './sides.ts'
