/** Words of what people of a building do. The warden's first page never needs them: it loads them when someone does something else than leave. */

import { type Action, groupOf, type StatusAction } from './actions.ts'

interface ActionWords {
  word: string
  /** What a floor is when it is done: 'Floors locked'. */
  done: string
  /** For wardens. '{where}' stands for the place. */
  sentence: string
  /** For everyone, after the word in capitals. */
  announcement: string
}

const words: Record<Action, ActionWords> = {
  evacuate: {
    word: 'Evacuate',
    done: 'cleared',
    sentence: 'Evacuate your floor now. Check every room. Report when it is clear.',
    announcement: 'Leave the building now. Do not use lifts.',
  },
  move: {
    word: 'Move',
    done: 'cleared',
    sentence: 'Move everyone to {where}. Check every room. Report when this area is empty.',
    announcement: 'Go to {where} now.',
  },
  shelter: {
    word: 'Shelter',
    done: 'sheltered',
    sentence: 'Take shelter: {where}. Count the people with you and report.',
    announcement: 'Take shelter now: {where}.',
  },
  hold: {
    word: 'Hold',
    done: 'in place',
    sentence: 'Keep everyone in their rooms. Keep corridors clear. Count the people with you and report.',
    announcement: 'Stay in your room. Keep corridors clear.',
  },
  secure: {
    word: 'Secure',
    done: 'locked',
    sentence: 'Bring everyone inside. Lock the outside doors. Carry on inside. Report when the doors are locked.',
    announcement: 'Come inside. Outside doors are locked. Carry on inside.',
  },
  lockdown: {
    word: 'Lockdown',
    done: 'locked',
    sentence: 'Lock the door. Lights off, out of sight, phones silent. Open to no one. Record who is with you.',
    announcement: 'Lock your door, lights off, stay out of sight, silence your phone. Wait for police or a warden.',
  },
  release: {
    word: 'All clear',
    done: 'released',
    sentence: 'The danger is over. Release each room in turn. Record anyone who is missing.',
    announcement: 'The danger is over. Stay until you are told to move.',
  },
}

export const wordOf = (action: Action): string => words[action].word
export const doneOf = (action: Action): string => words[action].done
/** 'Locked' */
export const doneTitle = (action: Action): string => capital(words[action].done)

/** What wardens do. Without a place: 'a safe place'. */
export const sentenceOf = (action: Action, where: string): string => placed(words[action].sentence, where)

/** '{WORD}. {public sentence}' */
export const announcementOf = (action: Action, where: string): string =>
  `${words[action].word.toUpperCase()}. ${placed(words[action].announcement, where)}`

const placed = (sentence: string, where: string) => sentence.replace('{where}', () => where || 'a safe place')
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The floor statuses that are made when an action is first used, in their order. */
export const floorStatusesOf: Record<StatusAction, readonly { name: string; colour: string; meansClear: boolean }[]> = {
  shelter: withHelp('Not sheltered', 'Sheltered'),
  hold: withHelp('Not in place', 'In place'),
  secure: withHelp('Doors open', 'Doors locked'),
  lockdown: withHelp('Not locked', 'Locked'),
  release: begunAndDone('Waiting', 'Released'),
}

function withHelp(begun: string, done: string) {
  return [...begunAndDone(begun, done), { name: 'Help needed', colour: 'red', meansClear: false }]
}

function begunAndDone(begun: string, done: string) {
  return [
    { name: begun, colour: 'grey', meansClear: false },
    { name: done, colour: 'green', meansClear: true },
  ]
}

/** A text of an event in which people leave, in the words of what they do now. */
export type Say = (text: string) => string

/** What the people of a building do. */
export interface Doing {
  action: Action
  /** What a release ends. */
  before?: Action | null | undefined
}

type Voice = 'leave' | 'stay' | 'mixed'

/** What people are asked and answered where no one leaves. */
export const stayTexts = {
  stay: {
    question: 'Are you inside and safe? Reply 1 for yes, 2 if you need help.',
    iAmSafe: 'I am inside and safe',
  },
  quiet: {
    question: 'Are you behind a locked door? Silence your phone. Reply 1 for yes, 2 if you need help.',
    iAmSafe: 'I am behind a locked door',
  },
  safe: 'Thank you. You are recorded as accounted for. Reply 2 if you need help.',
  danger: 'Thank you. The wardens can see that you need help. Reply 1 when you are safe.',
} as const

/** Whole texts, in other words than where people leave. */
const texts: Record<Voice, Readonly<Record<string, string>>> = {
  leave: {},
  stay: {
    Danger: 'Need help',
    'In danger': 'Need help',
    'In Danger': 'Needs help',
    Dgr: 'Help',
    Refused: 'Left',
    Refusals: 'Left',
    refused: 'left against the instruction',
    safe: 'accounted for',
    'who refuse to evacuate': 'who left against the instruction',
    'needs help to get out': 'PEEP unknown',
    'PEEPs inside': 'PEEPs unknown',
    'refuses to leave': 'left against the instruction',
    'no longer refuses to leave': 'did not leave',
    'not yet safe': 'not yet accounted for',
    'Only record the safety status of persons who will remain on this floor.': 'Record everyone who is with you.',
  },
  mixed: { Safe: 'Safe or accounted for', Danger: 'Need help', 'In danger': 'Need help', 'In Danger': 'Need help' },
}

type Pattern = readonly [RegExp, string]
const needHelp: readonly Pattern[] = [
  [/\b1 person in danger\b/g, '1 person needs help'],
  // since a time: of one person
  [/^In danger (?=\d\d:)/g, 'Needs help '],
  [/\bin danger (?=\d\d:)/g, 'needs help '],
  [/\b1 (is )?in danger\b/g, '1 needs help'],
  [/\bis in danger\b/g, 'needs help'],
  [/\bare in danger\b/g, 'need help'],
  [/\brecorded in danger\b/g, 'recorded as needing help'],
  [/\band in danger\b/g, 'and needing help'],
  [/\bsomeone in danger\b/g, 'someone who needs help'],
  [/\bPeople in danger\b/g, 'People who need help'],
  [/\brecorded as in danger\b/g, 'recorded as needing help'],
  [/\bin danger\b/g, 'need help'],
  [/^In danger\b/g, 'Need help'],
]
/** The same within other texts. */
const parts: Record<Voice, readonly Pattern[]> = {
  leave: [],
  mixed: [...needHelp, [/(\d) safe\b/g, '$1 safe or accounted for']],
  stay: [
    [/\bSafe( on floor)?\b/g, 'Accounted for'],
    [/\brecorded as safe\b/g, 'recorded as accounted for'],
    [/\bDanger on floor\b/g, 'Needs help'],
    [/\bIn Danger\b/g, 'Needs help'],
    ...needHelp,
    [/(\d) safe\b/g, '$1 accounted for'],
    [/\bneeds? help to get out\b/g, 'with a PEEP unknown'],
    [/(\d) refused\b/g, '$1 left against the instruction'],
    [/\brefused (?=\d)/g, 'left '],
    [/\brefusals? to evacuate\b/g, 'left against the instruction'],
    [/\bRefuses to evacuate\b|\bRecord refusal to evacuate\b|\bRefusal to evacuate\b/g, 'Left against the instruction'],
    [/\bTake back refusal to evacuate\b/g, 'Take back ‘Left against the instruction’'],
    [/\bRefusal taken back\b/g, '‘Left against the instruction’ taken back'],
    [/\bdoes not refuse to evacuate\b/g, 'did not leave'],
    [/\brefuses to evacuate\b/g, 'left against the instruction'],
  ],
}

const speeches = new Map<string, Say>()

/** How a screen speaks of these buildings together. The same function for the same words. */
export function sayOf(buildings: readonly Doing[]): Say {
  const isLeaving = ({ action, before = null }: Doing) => groupOf(action, before) === 'leave'
  const voice = buildings.every(isLeaving) ? 'leave' : buildings.some(isLeaving) ? 'mixed' : 'stay'
  const done = [...new Set(buildings.map(({ action }) => doneOf(action)))]
  return speech(voice, done.length === 1 ? done.join() : done.length === 0 ? 'cleared' : 'done')
}

function speech(voice: Voice, done: string): Say {
  const key = `${voice} ${done}`
  const known = speeches.get(key) ?? speak(voice, done)
  speeches.set(key, known)
  return known
}

function speak(voice: Voice, done: string): Say {
  const [whole, within] = [texts[voice], parts[voice]]
  const patterns: Pattern[] = [...within, [/\bcleared\b/g, done], [/\bCleared\b/g, capital(done)]]
  return (text) => whole[text] ?? patterns.reduce((said, [pattern, word]) => said.replace(pattern, word), text)
}
