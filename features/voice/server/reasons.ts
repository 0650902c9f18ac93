/** Why a call was not made, or was not answered, as managers read it. */
export const callReasons = {
  answered: 'No longer asked.',
  tooLate: 'It could not be made in time.',
  tooOften: 'The number was called three times within an hour.',
  budget: 'The call budget for today is used up.',
  noAnswer: 'No answer.',
  busy: 'Line busy.',
  dead: 'The number is not in use.',
} as const
