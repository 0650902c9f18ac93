/** Words of plan access for both sides. This file has no schema, because the browser imports it. */

/** Why someone opens a plan, in the order of the buttons. */
export const planReasons = ['helping', 'sending', 'services'] as const

export type PlanReason = (typeof planReasons)[number]

/** How a plan was seen in an event: opened for a reason, in a list of people, in an arrival pack. */
export const planWays = ['opened', 'list', 'pack'] as const

export type PlanWay = (typeof planWays)[number]

/** Plans that one reader opens in an event. More of them are a line of its record. */
export const plansOfOneReader = 20
