import pg from 'pg'

/**
 * What a log may say of an error. The database names the values that it stumbled over, and those are people's: of such
 * an error only what it is and where it happened is told.
 */
export function loggedError(error: Error) {
  const { name: type, message, stack = '' } = error
  if (!(error instanceof pg.DatabaseError)) return { type, message, stack }
  const { code, table, column, constraint, routine } = error
  const frames = stack.slice(stack.indexOf('\n    at '))
  // class 22, data exceptions, and what a function of the database raises: the message itself quotes
  const quotes = /^(22|P0)/.test(code ?? '')
  const said = quotes ? 'the database refused a value' : message
  return { type, code, table, column, constraint, routine, message: said, stack: `${said}${frames}` }
}
