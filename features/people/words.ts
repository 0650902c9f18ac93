/** Columns of the list of people beside the name, as they are headed on screen and in the file. */
export const personColumns = {
  place: 'Floor',
  kind: 'Kind',
  groups: 'Groups',
  wardens: 'Warden',
  sign_in: 'Sign-in',
  email: 'Email',
  mobile: 'Mobile',
} as const
export type PersonColumn = keyof typeof personColumns

export const signInWords = { none: '', ready: 'Can sign in', invited: 'Invited', cannot: 'Cannot sign in' }
