export { recallAtStart, recallFailure } from './recall.ts'
