import { displays, type MessageFilter, messageFilters } from '#kernel/kinds.ts'
import { listLimits } from '#kernel/limits.ts'

/** 'show all', 'unread', 'no reply' and around again. */
export const nextMessageFilter = (now: MessageFilter): MessageFilter =>
  messageFilters[(messageFilters.indexOf(now) + 1) % messageFilters.length] ?? 'show all'

/** The unread banner opens the screen by '?message=unread'. Undefined if the address names no filter. */
export function readMessageFilter(search: string): MessageFilter | undefined {
  const given = new URLSearchParams(search).get('message')
  return messageFilters.find((filter) => filter === given)
}

/** One or two characters send nothing. */
export const searchOf = (typed: string) => (typed.trim().length >= listLimits.evacueeSearchFrom ? typed.trim() : '')

/**
 * The counts of a building lead here by '?display=danger&building=…'. An alarm names floors, buildings or everyone, and a
 * display or refusals.
 */
export function readPeople(search: string) {
  const given = new URLSearchParams(search)
  const display = displays.find((one) => one === given.get('display')) ?? 'all'
  const places = new Set([...given.getAll('building'), ...given.getAll('floor')])
  return { places, isEverywhere: given.get('area') === 'everyone', display, refusal: given.has('refusal') }
}
