import type { Attendance } from '#kernel/vocabulary.ts'
import { attendanceLabel } from '#kernel/words.ts'

/** What narrows the list of /message/all; an empty choice is 'all'. */
export interface MessengerFilters {
  buildings: readonly string[]
  roles: readonly string[]
  statuses: readonly Attendance[]
}
export const noFilters: MessengerFilters = { buildings: [], roles: [], statuses: [] }

/** In the order they are offered. */
export const statusChoices: readonly Attendance[] = ['on_duty', 'off_duty', 'unknown', 'not_available']

export const toggled = <T>(chosen: readonly T[], one: T): T[] =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]

/** 'not available' brings 'off duty' along, and goes with it; all of them are none in particular. */
export function toggledStatus(chosen: readonly Attendance[], one: Attendance): Attendance[] {
  const next = toggled(chosen, one)
  if (one === 'not_available' && next.includes(one) && !next.includes('off_duty')) next.push('off_duty')
  if (!next.includes('off_duty')) return next.filter((status) => status !== 'not_available')
  return next.length === statusChoices.length ? [] : next
}

const listed = (chosen: readonly string[]) => chosen.join(',') || 'all'

/** The query of the filter call. */
export const filterQuery = ({ buildings, roles, statuses }: MessengerFilters, search: string) => ({
  b: listed(buildings),
  r: listed(roles),
  s: listed(statuses.map((status) => attendanceLabel[status].toLowerCase())),
  ...(search && { st: search }),
})

/** All of a list ticked is the same as none. */
export const collapsed = (chosen: readonly string[], offered: number) => (chosen.length === offered ? [] : chosen)
