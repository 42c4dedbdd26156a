/** What holds where a rule cannot tell whether it matches. */

/**
 * In doubt a match: right for what is stopped, and for what takes a permission away. In doubt none: right for what is let
 * through, and for what takes a prohibition away.
 */
export type Uncertainty = 'match' | 'no-match'
