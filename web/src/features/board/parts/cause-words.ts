import type { UnknownCause } from '@evac/contract/command/board-words.ts'

/** REC-05. */
export const causeWords: Record<UnknownCause, string> = {
  unclear: 'answer unclear',
  text_failed: 'text failed',
  asked: 'asked, no answer',
  seen_before: 'seen before',
  not_asked: 'not asked',
}

/** Always in this order: eyes learn places. */
export const causesInOrder: readonly UnknownCause[] = ['asked', 'not_asked', 'seen_before', 'text_failed', 'unclear']
