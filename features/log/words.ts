/** What stands with every log head. The checker says it, too. */
export const headProves =
  'No one has changed, removed, added or reordered an entry since this head was sent out. It does not prove that what people recorded was true.'

/** The last sentence of the closing mail. */
export const closingLast = 'Keep this email: it proves that the record was not changed later.'

/** Of rows of the journal that were never sealed. */
export const strayWords = (count: number): string =>
  count === 1
    ? 'The database holds 1 entry that is not in the log. It is left out.'
    : `The database holds ${count} entries that are not in the log. They are left out.`

/** Of an entry whose row was changed. */
export const notAsLogged = 'This entry is not what was logged.'
