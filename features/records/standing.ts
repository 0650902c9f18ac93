import type { AdditionKind, NewAddition, Numbered, RecordAddition, SignedAt } from './calls/additions.ts'

/** How a record stands today, by what people added to it: alike on the page and in the PDF. This file has no schema. */

export type Body<K extends NewAddition['kind']> = Extract<NewAddition, { kind: K }>['body'] &
  (K extends 'sign_off' ? SignedAt : K extends 'action' ? Numbered : unknown)
export interface Addition<K extends NewAddition['kind']> extends Omit<RecordAddition, 'body'> {
  body: Body<K>
}

/** The additions of a kind, oldest first. The server checked each body before it kept it. */
export const ofKind = <K extends NewAddition['kind']>(
  additions: readonly RecordAddition[],
  kind: K & AdditionKind,
): Addition<K>[] => additions.filter((addition) => addition.kind === kind) as unknown as Addition<K>[]

/** An action with its steps, oldest first. */
export interface StandingAction extends Addition<'action'> {
  steps: readonly Addition<'action_step'>[]
  state: 'open' | 'done' | 'verified' | 'reopened'
}

export function actionsIn(additions: readonly RecordAddition[]): StandingAction[] {
  const steps = Map.groupBy(ofKind(additions, 'action_step'), ({ body }) => body.target)
  return ofKind(additions, 'action').map((action) => {
    const own = steps.get(action.uid) ?? []
    return { ...action, steps: own, state: own.at(-1)?.body.step ?? 'open' }
  })
}

const isOpen = ({ state }: StandingAction) => state === 'open' || state === 'reopened'

/** 'Outcome: False alarm'. Null: a drill, which has no outcome. */
export function outcomeWords(kind: 'live' | 'drill', additions: readonly RecordAddition[]): string | null {
  if (kind === 'drill') return null
  return `Outcome: ${ofKind(additions, 'outcome').at(-1)?.body.outcome ?? 'Not stated yet'}`
}

const counted = (n: number, one: string, many: string) => `${n.toLocaleString('en-AU')} ${n === 1 ? one : many}`

/** What came since the record was written, and how many of its actions are open. */
export function sinceWords(additions: readonly RecordAddition[], arrivedLate: number): string {
  const corrections = counted(ofKind(additions, 'correction').length, 'correction', 'corrections')
  const records = counted(arrivedLate, 'record', 'records')
  const actions = actionsIn(additions)
  const open = actions.filter(isOpen).length.toLocaleString('en-AU')
  return `Since it was written: ${corrections}, ${records} that arrived after the end. Open actions: ${open} of ${actions.length.toLocaleString('en-AU')}.`
}

interface Told {
  /** The day of a moment at the site. */
  date: (at: string) => string
  /** No one is named: roles stand alone. */
  isWithoutNames?: boolean
}

/** 'Signed by Grace Okafor, Chief Warden, 14 November 2026', one for each sign-off, or 'Not signed yet'. */
export function signedWords(additions: readonly RecordAddition[], { date, isWithoutNames }: Told): string[] {
  const signed = ofKind(additions, 'sign_off').map(({ by, role, body, recorded_at }) => {
    const who = [isWithoutNames ? null : by, body.role ?? role].filter(Boolean).join(', ')
    return `Signed by ${who ? `${who}, ` : ''}${date(recorded_at)}`
  })
  return signed.length > 0 ? signed : ['Not signed yet']
}

/** 'Corrected by Kim Lee, 14 November 2026: It was Level 3.' */
export function correctedWords(
  { by, role, body, recorded_at }: Addition<'correction'>,
  { date, isWithoutNames }: Told,
): string {
  return `Corrected by ${isWithoutNames ? (role ?? 'someone') : by}, ${date(recorded_at)}: ${body.text}`
}

/** Corrections of one sentence. */
export const correctionsOf = (additions: readonly RecordAddition[], sentence: number) =>
  ofKind(additions, 'correction').filter(({ body }) => 'sentence' in body && body.sentence === sentence)

/** Corrections of sentences that the summary lacks. */
export const correctionsOfMissing = (
  additions: readonly RecordAddition[],
  sentences: readonly { number: number }[],
): Addition<'correction'>[] =>
  ofKind(additions, 'correction').filter(
    ({ body }) => 'sentence' in body && !sentences.some(({ number }) => number === body.sentence),
  )
