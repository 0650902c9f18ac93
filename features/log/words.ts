/** What stands with every log head. The checker says it, too. */
export const headProves =
  'No one has changed, removed, added or reordered an entry since this head was sent out. It does not prove that what people recorded was true.'

/** The last sentence of the closing mail. */
export const closingLast = 'Keep this email: it proves that the record was not changed later.'
