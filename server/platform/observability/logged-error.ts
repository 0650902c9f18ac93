import pg from 'pg'

/**
 * What may be logged of an error. Database errors quote values, which may be personal data: only their kind and place
 * are logged.
 */
export function loggedError(error: Error) {
  const { name: type, message, stack = '' } = error
  if (!(error instanceof pg.DatabaseError)) return { type, message, stack }
  const { code, table, column, constraint, routine } = error
  const frames = stack.slice(stack.indexOf('\n    at '))
  // class 22 (data exceptions) and exceptions raised by functions: the message itself quotes values
  const quotes = /^(22|P0)/.test(code ?? '')
  const said = quotes ? 'the database rejected a value' : message
  return { type, code, table, column, constraint, routine, message: said, stack: `${said}${frames}` }
}
