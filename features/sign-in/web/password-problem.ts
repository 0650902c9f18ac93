import * as limits from '#kernel/limits.ts'

export interface PasswordEntry {
  emailOrUsername: string
  password: string
}
interface Problem {
  text: string
  /** The field to go back to. */
  field: keyof PasswordEntry
}

/** Empties first, then the length. The name is trimmed, the password is not. */
export function passwordProblem({ emailOrUsername, password }: PasswordEntry): Problem | null {
  const name = emailOrUsername.trim()
  if (!name && !password) return { text: 'Please input your email / username and password.', field: 'emailOrUsername' }
  if (!name) return { text: 'Please input your email / username.', field: 'emailOrUsername' }
  if (!password) return { text: 'Please input your password.', field: 'password' }
  if (password.length < limits.passwordLength)
    return { text: `Password must be at least ${limits.passwordLength} characters long.`, field: 'password' }
  return null
}
