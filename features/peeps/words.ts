import type { PlanReason } from './kinds.ts'

export const planReasonWords: Readonly<Record<PlanReason, string>> = {
  helping: 'I am going to help',
  sending: 'I am sending someone',
  services: 'The fire service asks',
}
