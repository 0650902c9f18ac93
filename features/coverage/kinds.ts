/** Closed lists of words of floors without a warden, for both sides. This file has no schema, because the browser imports it. */

/** Minutes after which managers are told of a floor without a warden. */
export const coverageMinutes = { usual: 3, least: 1, most: 30 } as const

/** When managers are mailed about tomorrow, by the clock of the site. A worker that was away sends it until then. */
export const mailAboutTomorrow = { from: '15:00', until: '18:00' } as const

/** Seconds after which an offer without an answer has lapsed. A late 'I will take it' still counts. */
export const offerSeconds = 60

/** What became of an offer: 'taken' by another warden, 'lapsed' when the next one was asked. */
export const offerAnswers = ['yes', 'no', 'taken', 'lapsed'] as const
