/** Figures of runs for Prometheus. */
export { storeMetrics } from './store-metrics.ts'
