/** What a person is to the administrator who acts on them. The first that fits counts. */
export const targets = ['none', 'roles', 'starts', 'beyond', 'grant', 'plans', 'self'] as const
export type Target = (typeof targets)[number]

/**
 * What a cell says, letter by letter. `y`: yes. `–`: no. `w`: administrators of the whole organisation only. `c`: a code is asked.
 * `t`: the person is told. `p`: the Plans permission ends. `k`: the person keeps their own sign-in, email and mobile.
 * `m`: only where no mail is sent.
 */
export type Cell = string

/** Who may do what to whom: a cell for each of `targets`, in their order. `docs/authority.md` is printed from it. */
export const authorityTable = {
  address: ['y', 't', 'ct', '–', 'wct', 'wctp', 'wct'],
  password_link: ['–', 'y', 'y', '–', 'wc', 'wc', '–'],
  invite: ['–', 'y', 'y', '–', 'wc', 'wc', '–'],
  show_invitation: ['–', 't', 'wct', '–', 'wctm', 'wctmp', '–'],
  reset_factor: ['–', '–', '–', '–', 'wct', 'wctp', '–'],
  merge_stays: ['y', 't', 'ct', '–', 'wctk', 'wctk', 'wctk'],
  merge_goes: ['y', 't', 'ct', '–', '–', '–', '–'],
  deactivate: ['y', 't', 'ct', '–', 'wct', 'wct', '–'],
  reactivate: ['y', 't', 'ct', '–', 'wct', 'wct', '–'],
  erase: ['c', 'c', 'c', '–', 'wc', 'wc', '–'],
  sign_out: ['y', 'y', 'c', '–', 'wc', 'wc', 'y'],
  appoint: ['wct', 'wct', 'wct', '–', 'wct', 'wct', '–'],
  revoke: ['–', '–', '–', '–', 'wct', 'wct', 'wct'],
  allow_plans: ['–', '–', '–', '–', 'wct', '–', '–'],
} as const satisfies Record<string, readonly Cell[]>

export type Act = keyof typeof authorityTable
export const acts = Object.keys(authorityTable) as Act[]

export const cellOf = (act: Act, target: Target): Cell => authorityTable[act][targets.indexOf(target)] ?? '–'
