/** Larger files are not changed: nobody compares them with what they were. */
export const longestFileBytes = 8 * 1024 * 1024
