export { endDecided, withSummary } from './final-summary.ts'
export { howToGoOn } from './how-to-go-on.ts'
