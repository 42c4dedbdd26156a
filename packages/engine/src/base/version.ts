/** The version of this package; `version.test.ts` holds it equal to the manifest. */
export const donecheckVersion = '0.1.0'
