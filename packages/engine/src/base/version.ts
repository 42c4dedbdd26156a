/** `version.test.ts` keeps it equal to the manifest. */
export const donecheckVersion = '0.1.0'
