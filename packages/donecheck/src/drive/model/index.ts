/** A model, hosted or on a server of one's own, as the drive of a run. */
export { modelDrive } from './model-drive.ts'
export type { ModelDriveOptions } from './model-drive.ts'
export { pricesListedIn, pricesOf } from './prices.ts'
export type { PriceTable } from './prices.ts'
