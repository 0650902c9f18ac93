/** Business constants of A§9 and B§9. Durations are milliseconds unless the name says otherwise. */
export const limits = {
  /** Characters of a message or broadcast (CONST-08). */
  messageLength: 130,
  /** Wardens of one group message (AMB-138). */
  audience: 500,
  /** Poll interval of open threads (CONST-14), and duration of their toasts (MSG-25, GRP-16). */
  evacueeThreadPoll: 10_000,
  wardenThreadPoll: 5_000,
  messageToast: 2000,
  /** Fewest characters of a password at sign-in (CONST-03). */
  passwordLength: 6,
  /** Rows of a page of people (AMB-108). */
  pageSize: 20,
  /** Longest search text (AMB-113). */
  searchLength: 100,
  searchDebounce: 300,
  /** Requests for a sign-in link before the form locks, and duration of the lock (CONST-01). */
  mobileAttempts: 5,
  mobileLock: 300_000,
  /** Validity of a mobile sign-in link (CONST-02). */
  mobileLink: 180_000,
  /** Validity of a report-in link, hours (AMB-037). */
  reportInLinkHours: 24,
  /** Distance from the page bottom that loads more people, px (CONST-10). */
  lazyLoadPx: 150,
  refetchAfterStatus: 1000,
  refetchAfterRefusal: 500,
  refreshAnimation: 1000,
  toastDelay: 7000,
  shortestToastDelay: 1000,
  /** Lifetime of the real-time token, seconds (CONST-06). */
  realtimeTokenSeconds: 3600,
  channelPoll: 30_000,
  fallbackPoll: 15_000,
  /** Lifetime of an access token, hours (AMB-026). */
  sessionHours: 12,
} as const

/** Limits of the lists across floors. Separate, because the first page does not need them. */
export const listLimits = {
  /** Fewest characters of a search on evacuee safety. Elsewhere one (CONST-12). */
  evacueeSearchFrom: 3,
  /** On the warden-side view (FES-05). */
  refetchAfterWardenStatus: 2000,
  /** Delay until a filter dropdown closes after its last choice (SAFE-23). */
  dropdownClose: 1000,
} as const

/** Longest reason of a decline or withdrawal, in characters after trimming (AMB-067). */
export const longestReason = 500

/** Characters of a new password. An emoji counts as one. Sign-in requires fewer (CONST-03). */
export const newPasswordLength = { least: 15, most: 128 } as const

/** Minutes for which the link in the mail is valid. */
export const passwordResetMinutes = 30

/** Evacuees with unread messages are counted up to this number (UX-84). */
export const mostUnread = 10
