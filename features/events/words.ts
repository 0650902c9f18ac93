/** Sentences of refusals whose own message may name someone: callers show that message. Apart, because the first load does without them. */
export const actionRefusals = {
  action_changed: 'Someone else has just changed the action. Look again.',
  quiet_building: 'No one is sent to another floor in a lockdown.',
} as const
