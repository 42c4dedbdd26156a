export { refusedCalls } from './refused-calls.ts'
