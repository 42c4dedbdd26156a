/** Models that are asked whether it is done: one, or a panel of several. */
export { judgeAccount, type JudgeAccount } from './account.ts'
export { assembleContext } from './context/assemble.ts'
export type { RuleText } from './context/entries.ts'
export { modelJudge, type ModelJudgeOptions } from './model-judge.ts'
export { judgeCheck, defaultRubric, type JudgeCheckOptions } from './judge-check.ts'
export { judgePanel, type JudgePanelOptions } from './panel.ts'
export { readyRubrics, rubricOf, type RubricName } from './rubrics.ts'
export { readProjectRules, ruleFileNames } from './surroundings.ts'
