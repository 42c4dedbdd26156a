/** Larger files are not changed: nobody compares them with what they were. */
export const maxFileBytes = 8 * 1024 * 1024
