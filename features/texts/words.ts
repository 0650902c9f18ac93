/** How every text of a drill begins. */
export const drillPrefix = 'DRILL DRILL DRILL. '
