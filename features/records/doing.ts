import { doneOf, type Say, sayOf, wordOf } from '#kernel/action-words.ts'
import { type Action, groupOf } from '#kernel/actions.ts'
import type { EventRecord, RecordResult } from './calls/record.ts'
import { minuteAt } from './times.ts'

/**
 * How a record speaks of what people did: with the last action of each building, because its figures count to what is done
 * within that. A release is none of them: it searches nothing. This file has no schema, because the browser imports it.
 */

type Doings = Pick<EventRecord, 'actions'>

/** The last action of each building before its release. Empty: everyone left. */
function lastActions({ actions = [] }: Doings): ReadonlyMap<string, Action> {
  const last = new Map<string, Action>()
  for (const { action, buildings } of actions)
    if (action !== 'release') for (const { id } of buildings) last.set(id, action)
  return last
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
/** Records say 'clear' of what boards call cleared. */
const doneInRecord = (action: Action) => (action === 'evacuate' || action === 'move' ? 'clear' : doneOf(action))

/** What floors are reported: 'clear', 'locked', 'clear or locked'. */
function doneIn(record: Doings): string {
  const words = new Set([...lastActions(record).values()].map(doneInRecord))
  return words.size === 0 ? 'clear' : [...words].toSorted().join(' or ')
}

/** Parts of sentences, as people are told of in this record. */
export interface RecordWords {
  /** Of floors. */
  done: string
  safe: string
  recordedSafe: string
  inDanger: string
  /** What people did who would not do as told, and what became of one and of some of them. */
  refused: string
  oneAgreed: string
  someAgreed: string
}

/** Of people who leave, who stay, or some of both. */
export type Voice = 'leave' | 'stay' | 'mixed'
const people: Record<Voice, Pick<RecordWords, 'safe' | 'recordedSafe' | 'inDanger'>> = {
  leave: { safe: 'safe', recordedSafe: 'safe', inDanger: 'in danger' },
  stay: { safe: 'accounted for', recordedSafe: 'as accounted for', inDanger: 'in need of help' },
  mixed: {
    safe: 'safe or accounted for',
    recordedSafe: 'as safe or accounted for',
    inDanger: 'in danger or in need of help',
  },
}
const refusing: Record<Voice, Pick<RecordWords, 'refused' | 'oneAgreed' | 'someAgreed'>> = {
  leave: {
    refused: 'refused to leave',
    oneAgreed: 'later left or agreed to',
    someAgreed: 'later left or agreed to leave',
  },
  stay: {
    refused: 'left against the instruction',
    oneAgreed: 'later came back or was accounted for',
    someAgreed: 'later came back or were accounted for',
  },
  mixed: {
    refused: 'refused to leave or left against the instruction',
    oneAgreed: 'later did as told or was accounted for',
    someAgreed: 'later did as told or were accounted for',
  },
}

function voiceOf(actions: readonly Action[]): Voice {
  const leaving = actions.filter((action) => groupOf(action) === 'leave')
  if (leaving.length === actions.length) return 'leave'
  return leaving.length === 0 ? 'stay' : 'mixed'
}

export const voiceOfRecord = (record: Doings): Voice => voiceOf([...lastActions(record).values()])

export function wordsOfRecord(record: Doings): RecordWords {
  const { safe, recordedSafe, inDanger } = people[voiceOfRecord(record)]
  // someone may have refused before the last change
  const all = (record.actions ?? []).flatMap(({ action }) => (action === 'release' ? [] : [action]))
  return { done: doneIn(record), safe, recordedSafe, inDanger, ...refusing[voiceOf(all)] }
}

/** '3 in danger at the end'. */
export const resultInWords = ({ word, people: n, voice }: RecordResult): string =>
  ({
    accounted: 'Everyone accounted for',
    unaccounted: `${numberInWords(n)} not accounted for`,
    danger: `${numberInWords(n)} ${people[voice ?? 'leave'].inDanger} at the end`,
    nobody: 'No one to account for',
  })[word]
const numberInWords = (n: number) => n.toLocaleString('en-AU')

/** How headings and columns of the record speak. The same function as of a board, with the record's own words for floors. */
export function sayOfRecord(record: Doings): Say {
  const last = [...lastActions(record).values()]
  if (voiceOfRecord(record) === 'leave') return (text) => text
  const say = sayOf(last.map((action) => ({ action })))
  const { done, safe, refused } = wordsOfRecord(record)
  return (text) =>
    say(
      text
        .replace(/\b([Cc])leare?d?\b/g, (_, first) => (first === 'C' ? capital(done) : done))
        .replace(/\bsafe\b/g, safe)
        .replace(/\bIn danger and\b/g, 'In need of help and')
        .replace(/\bwas in danger\b/g, 'needed help')
        .replace(/\b[Rr]efused to leave\b/g, (said) => (said.startsWith('R') ? capital(refused) : refused)),
    )
}

interface Header extends Doings, Pick<EventRecord, 'buildings' | 'started_at' | 'timezone'> {}

/** 'Evacuate 14:00; Lockdown 14:12, Tower A'. Null: everyone left. Buildings are named where it was not all of those in the event. */
export function actionsInWords({ actions, buildings, started_at, timezone }: Header): string | null {
  if (!actions || actions.length === 0) return null
  return actions
    .map(({ seconds, action, buildings: told }) => {
      const here = buildings.filter(({ joined, left }) => joined <= seconds && (left === null || left > seconds))
      const isAll = here.every(({ id }) => told.some((one) => one.id === id))
      const time = minuteAt(Date.parse(started_at) + seconds * 1000, timezone)
      const names = isAll ? [] : told.map(({ name }) => name)
      return [`${wordOf(action)} ${time}`, ...names].join(', ')
    })
    .join('; ')
}

/** 'Ward 7 East; the oval'. Null: there was no place to go to. */
export const placesToGo = ({ actions = [] }: Doings): string | null =>
  [...new Set(actions.flatMap(({ where }) => where ?? []))].join('; ') || null
