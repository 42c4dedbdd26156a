/** The pages, and what all of them know while they are open. */
export { ApprovalsPage } from './lists/approvals-page.tsx'
export { ComparePage } from './lists/compare-page.tsx'
export { InsightsPage } from './lists/insights-page.tsx'
export { isConnected, questions, startWatching } from './live.ts'
export { RunPage } from './run/run-page.tsx'
export { RunsPage } from './lists/runs-page.tsx'
