import { safetyStatuses } from './vocabulary.ts'

/** Closed lists of words for both sides. This file has no schema, because the browser imports it. */

/** What kind of thing changed, so that a screen refetches only that. */
export const topics = [
  'event',
  'attendance',
  'evacuee',
  'floor',
  'message',
  'assignment',
  'text',
  'report',
  'command',
  'coverage',
] as const

export type Topic = (typeof topics)[number]

/** States of a text. They only move forward. */
export const textStates = ['queued', 'handed_over', 'delivered', 'unconfirmed', 'failed', 'expired', 'skipped'] as const

export type TextState = (typeof textStates)[number]

/** The colours of a report-in card. */
export const cardColours = ['Green', 'Yellow', 'Grey', 'Blue'] as const

export type CardColour = (typeof cardColours)[number]

/** The own area, the whole event at the site, or the given floors. */
export const areas = ['my area', 'everyone', 'building'] as const

export type Area = (typeof areas)[number]

/** The order in which the message filter cycles. */
export const messageFilters = ['show all', 'unread', 'no reply'] as const

export type MessageFilter = (typeof messageFilters)[number]

export const displays = [...safetyStatuses, 'all'] as const

export type Display = (typeof displays)[number]

/** The filters of the initial call. */
export const defaultFilters = {
  area: 'my area' as Area,
  floors: ['all' as const],
  message: 'show all' as MessageFilter,
  display: 'all' as Display,
  assist: false,
  visitor: false,
  refusal: false,
  search: '',
}
