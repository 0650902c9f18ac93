import type { UnknownCause } from './kinds.ts'

export const causeWords: Record<UnknownCause, string> = {
  unclear: 'answer unclear',
  text_failed: 'text failed',
  asked: 'asked, no answer',
  seen_before: 'seen before',
  not_asked: 'not asked',
}

/** Always in this order: eyes learn places. */
export const causesInOrder: readonly UnknownCause[] = ['asked', 'not_asked', 'seen_before', 'text_failed', 'unclear']

/** Sentences of refusals that only the board's users meet. Apart, because the wardens' first load does without. */
export const boardRefusals = { too_many_links: 'End a link first.' } as const
