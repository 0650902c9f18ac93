import type { UnknownCause } from '../../kinds.ts'

/** Always in this order: eyes learn places. */
export const causesInOrder: readonly UnknownCause[] = ['asked', 'not_asked', 'seen_before', 'text_failed', 'unclear']
