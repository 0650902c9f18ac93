import type { ContradictionKind } from '#features/board/kinds.ts'

/** What is asked without a template. */
export const plainQuestion = 'Are you safe? Reply 1 if you are safe, 2 if you need help.'

/** What stands against each other. */
export const contradictionWords: Record<ContradictionKind, string> = {
  cleared_danger: 'Cleared, with someone in danger',
  cleared_plan: 'Cleared, with a PEEP unknown',
  cleared_refusal: 'Cleared, with someone who refuses',
  cleared_seen: 'Cleared, but someone recorded since',
  own_safe: 'Says safe, recorded in danger',
  own_lifted: 'Self-report lifted a danger',
  late_safe: 'Late "safe" after a danger',
  two_places: 'Safe and in danger on two floors',
}
