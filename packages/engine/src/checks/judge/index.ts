/** Models that are asked whether it is done: one, or a panel of several. */
export { judgeAccount, type JudgeAccount } from './call-judge.ts'
export { assembleContext, readProjectRules, ruleFileNames } from './context.ts'
export type { Judge } from '../../ports/judges.ts'
export { modelJudge } from './model-judge.ts'
export { defaultRubric, judgeCheck, readyRubrics, rubricOf } from './judge-check.ts'
export { judgePanel } from './panel.ts'
