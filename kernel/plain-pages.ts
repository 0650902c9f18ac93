/**
 * Pages without script, for people without an account: HTML in place of JSON, and an address that holds a token. Every
 * such route stands here with its policy and its limits, or the server does not start. The token alone says what opens.
 */
export interface PlainPage {
  /** What the page shows and where it is specified, in one line. */
  summary: string
  method: 'GET' | 'POST'
  path: `/${string}`
  policy: { access: 'public' }
  /** Requests a minute of one network. */
  perMinute: number
  /** Requests with this field of the form have as many of their own. */
  apart?: Readonly<{ field: string; value: string }>
  /** The fields of the form, each with its longest text. */
  form?: Readonly<Record<string, number>>
}

/** Wrong addresses a minute of one network: above it each answer is 429. */
export const wrongAddressesPerMinute = 20

const policy = { access: 'public' } as const

export const plainPages = {
  openPack: {
    summary: 'Asks who opens the arrival pack. Opening changes nothing',
    method: 'GET',
    path: '/p/:token',
    policy,
    perMinute: 120,
  },
  enterPack: {
    summary: "Leads to the reader's own address of the arrival pack",
    method: 'POST',
    path: '/p/:token',
    policy,
    perMinute: 60,
    /** `form` is the number of the form: two presses make one reader. */
    form: { name: 60, form: 22 },
  },
  readPack: {
    summary: 'The arrival pack for the fire service',
    method: 'GET',
    path: '/p/:token/:reader',
    policy,
    perMinute: 120,
  },
  readPackBuilding: {
    summary: 'Floors not cleared of one building, of an arrival pack with more than 200 of them',
    method: 'GET',
    path: '/p/:token/:reader/:building',
    policy,
    perMinute: 120,
  },
  readPlanNotice: {
    summary: "Who has seen a person's plan in an event, and why",
    method: 'GET',
    path: '/v/:token',
    policy,
    perMinute: 60,
  },
  openReport: {
    summary: 'Says that its reader is safe or needs help, by personal link or poster. Opening changes nothing',
    method: 'GET',
    path: '/s/:code',
    policy,
    /** A whole building shares one network. */
    perMinute: 6000,
  },
  sendReport: {
    summary: 'Takes what someone says about themselves',
    method: 'POST',
    path: '/s/:code',
    policy,
    /** Few of them are taken: `posts` in features/self-report. */
    perMinute: 6000,
    /** A call for help is not refused because others on the network say that they are safe. */
    apart: { field: 'say', value: 'help' },
    /** `form` is the number of the form: two presses are one. `place` is a floor or a building, `floor` one that was typed. */
    form: { say: 4, form: 22, place: 36, floor: 100, words: 100, name: 100, mobile: 30 },
  },
} as const satisfies Record<string, PlainPage>

/** True for the address of a route below one letter, such as `/p/:token`: only pages without script are there. */
export const isForStrangers = (url = '') => /^\/\w\//.test(url)
