/** Business constants of the product. Durations are milliseconds unless the name says otherwise. */

/** Characters of a message or broadcast. */
export const messageLength = 130
/** Wardens of one group message. */
export const audience = 500
/** Poll interval of open threads, and duration of their toasts. */
export const evacueeThreadPoll = 10_000
export const wardenThreadPoll = 5_000
export const messageToast = 2000
/** Fewest characters of a password at sign-in. */
export const passwordLength = 6
/** Rows of a page of people. */
export const pageSize = 20
/** Longest search text. */
export const searchLength = 100
export const searchDebounce = 300
/** Requests for a sign-in link before the form locks, and duration of the lock. */
export const mobileAttempts = 5
export const mobileLock = 300_000
/** Validity of a mobile sign-in link. */
export const mobileLink = 180_000
export const reportInLinkHours = 24
/** Distance from the page bottom that loads more people, px. */
export const lazyLoadPx = 150
export const refetchAfterStatus = 1000
export const refetchAfterRefusal = 500
export const refreshAnimation = 1000
export const toastDelay = 7000
export const shortestToastDelay = 1000
/** Lifetime of the real-time token, seconds. */
export const realtimeTokenSeconds = 3600
export const channelPoll = 30_000
export const fallbackPoll = 15_000
/** Live updates that are so many seconds late count as interrupted. */
export const liveLateSeconds = 10
/** Poll of a phone whose live updates are late. */
export const latePoll = 8_000
/** Lifetime of an access token, hours. */
export const sessionHours = 12

/** Limits of the lists across floors. Separate, because the first page does not need them. */
export const listLimits = {
  /** Fewest characters of a search on evacuee safety. Elsewhere one. */
  evacueeSearchFrom: 3,
  /** On the warden-side view. */
  refetchAfterWardenStatus: 2000,
  /** Delay until a filter dropdown closes after its last choice. */
  dropdownClose: 1000,
} as const

/** Longest reason of a decline or withdrawal, in characters after trimming. */
export const longestReason = 500

/** Characters of a new password. An emoji counts as one. Sign-in requires fewer. */
export const newPasswordLength = { least: 15, most: 128 } as const

/** Minutes for which the link in the mail is valid. */
export const passwordResetMinutes = 30

/** Evacuees with unread messages are counted up to this number. */
export const mostUnread = 10

/** Items of an organisation's own checklist that are in use at one time, and characters of one. */
export const checklistItems = 40
export const checklistTextLength = 200
