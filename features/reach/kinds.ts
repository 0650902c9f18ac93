/** What people are reached about and how, for both sides. This file has no schema, because the browser imports it. */

/** What a person is to answer, in the order in which screens show it. */
export const reachClasses = ['report_in', 'instruction', 'command', 'offer', 'message', 'ask'] as const
export type ReachClass = (typeof reachClasses)[number]

export const ways = ['push', 'text', 'call', 'second_text', 'second_call', 'mail', 'next'] as const
export type Way = (typeof ways)[number]

/** One try: `seconds` from the beginning. */
export interface Step {
  way: Way
  seconds: number
}

export const stepLimits = { steps: 8, seconds: 900 } as const

export const plans = ['as_before', 'until_they_answer'] as const
export type Plan = (typeof plans)[number]

/** How one class is reached: one of the plans of this version, or steps of the organisation's own. */
export type Choice = Plan | readonly Step[]

type Steps = Readonly<Record<ReachClass, readonly Step[]>>
const at = (way: Way, seconds: number): Step => ({ way, seconds })

/** The steps of each plan, by class. An offer ends after 60 s. */
export const stepsOfPlan: Readonly<Record<Plan, Steps>> = {
  as_before: {
    report_in: [at('text', 0)],
    instruction: [at('text', 60)],
    command: [at('text', 0)],
    offer: [],
    message: [at('text', 60)],
    ask: [at('text', 0)],
  },
  until_they_answer: {
    report_in: [at('push', 0), at('text', 0), at('call', 60), at('second_call', 120), at('mail', 120), at('next', 180)],
    instruction: [at('push', 0), at('text', 45), at('call', 90)],
    command: [at('push', 0), at('text', 0), at('call', 60)],
    offer: [at('push', 0), at('text', 20)],
    message: [at('push', 0), at('text', 60)],
    ask: [at('text', 0), at('text', 180), at('call', 300), at('mail', 300)],
  },
}

/** What an organisation has chosen, as its column `reach` holds it. A class that is left out is reached as before. */
export interface Reaching {
  plans: Partial<Record<ReachClass, Choice>>
  /** So many texts and calls at most to a person about one thing. Null: as many as there are steps. */
  texts: number | null
  calls: number | null
}

/** How an organisation begins that did not know it before. */
export const reachingOfNew: Reaching = {
  plans: {
    report_in: 'until_they_answer',
    instruction: 'until_they_answer',
    command: 'until_they_answer',
    offer: 'until_they_answer',
    message: 'until_they_answer',
    ask: 'until_they_answer',
  },
  texts: null,
  calls: null,
}

/** The keys that answer a call about each class. */
export const keysOf: Readonly<Record<ReachClass, string>> = {
  report_in: '12',
  instruction: '1',
  command: '1',
  offer: '12',
  message: '1',
  ask: '12',
}

/** Limits of the limits. */
export const mostTries = { least: 1, most: 8 } as const

/** Those whose text of the first moment is queued together with what asks: no plan leaves it out. */
export const textedAtOnce = ['report_in', 'command', 'ask'] as const satisfies readonly ReachClass[]

export const reachStates = ['going', 'answered', 'used_up', 'over'] as const
export type ReachState = (typeof reachStates)[number]

/** What managers see: reached, still trying, not reached. */
export const reachLists = ['not_reached', 'trying', 'reached'] as const
export type ReachList = (typeof reachLists)[number]

/** What a manager does about one person: all steps once more, or noting that they spoke. */
export const reachActs = ['again', 'spoken'] as const
export type ReachAct = (typeof reachActs)[number]

/** So long after the last step a person who has not answered is not reached. */
export const waitSeconds = 60

/** 'Try again now' works once in so many seconds. */
export const againSeconds = 60

/** Whether a role is called at the start, or only if no one else answers. */
export const callings = ['first', 'second'] as const
export type Calling = (typeof callings)[number]
