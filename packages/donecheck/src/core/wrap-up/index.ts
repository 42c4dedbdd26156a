export { endDecided, withSummary } from './wrap-up.ts'
export { howToGoOn } from './how-to-go-on.ts'
export { programSummary } from './program-summary.ts'
