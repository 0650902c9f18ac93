import type { TextState } from '#kernel/kinds.ts'
import type { Plan, ReachClass, ReachList, Way } from './kinds.ts'

/** What each class is called. */
export const classWords: Readonly<Record<ReachClass, string>> = {
  report_in: 'Report in',
  instruction: 'Instructions',
  command: 'In command',
  offer: 'Floors offered',
  message: 'Messages to wardens',
  ask: 'Questions to people',
}

export const planWords: Readonly<Record<Plan, string>> = {
  as_before: 'As before',
  until_they_answer: 'Until they answer',
}

export const wayWords: Readonly<Record<Way, string>> = {
  push: 'Alert',
  text: 'Text',
  call: 'Call',
  second_text: 'Text to the second number',
  second_call: 'Call to the second number',
  mail: 'Email',
  next: 'People who are called second',
}

/** What a call says beside the organisation's name and the words of what is asked. */
export const callWords = {
  drill: 'Drill. This is an exercise. ',
  message: 'You have a message from a warden. Open Evac.',
  keys: {
    report_in: 'Press 1 if you are coming. Press 2 if you are not available.',
    instruction: 'Press 1 when you have understood.',
    command: 'Press 1 if you are still in command.',
    offer: 'Press 1 to take {floor}. Press 2 if you cannot.',
    ask: 'Press 1 if you are safe. Press 2 if you need help.',
  },
  thanks: 'Thank you.',
} as const

/** Why a way cannot be tried. */
export const obstacles = {
  noAlerts: 'No alerts on a phone.',
  noCalls: 'Calls are not set up.',
  noMobile: 'No mobile number.',
  noSecond: 'No second number.',
  noAddress: 'No e-mail address.',
  mostTexts: 'The most texts for one person have been sent.',
  mostCalls: 'The most calls for one person have been made.',
} as const

/** The reason of the text of those who are called second, while they wait. */
export const waitsForOthers = 'Called only if no one else answers.'

export const listWords: Readonly<Record<ReachList, string>> = {
  not_reached: 'Not reached',
  trying: 'Trying',
  reached: 'Reached',
}

/** What has become of a call, where that is said otherwise than of a text. */
export const callTryWords: Partial<Record<TextState, string>> = {
  queued: 'waiting to ring',
  handed_over: 'ringing',
  expired: 'too late to ring',
}

/** What has become of a try, in a line. */
export const tryWords: Readonly<Record<TextState, string>> = {
  queued: 'waiting to be sent',
  handed_over: 'sent',
  delivered: 'delivered',
  unconfirmed: 'not confirmed',
  failed: 'failed',
  expired: 'too late to send',
  skipped: 'not sent',
}
