/** How many cases a property is tried with where it does not say: few while one waits, many in `npm run test:all`. */
import fc from 'fast-check'

fc.configureGlobal({ numRuns: Number(process.env['DONECHECK_PROPERTY_RUNS'] ?? 40) })
