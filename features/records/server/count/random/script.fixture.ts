import fc from 'fast-check'
import type { Deed } from '../reference/deeds.fixture.ts'

const person = fc.record({ home: fc.nat(20), isPlanned: fc.boolean(), isVisitor: fc.boolean() })
/** A building with so many floors; what people and wardens are, by numbers that are read modulo what there is. */
const plan = fc.record({
  isDrill: fc.boolean(),
  /** What the people of a building that joins do. */
  begins: fc.constantFrom(...(['evacuate', 'evacuate', 'evacuate', 'evacuate', 'lockdown', 'shelter'] as const)),
  hasClear: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  hasContact: fc.integer({ min: 0, max: 9 }).map((n) => n > 1),
  buildings: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3, size: 'max' }),
  people: fc.oneof(fc.array(person, { maxLength: 3 }), fc.array(person, { maxLength: 30, size: 'max' })),
  wardens: fc.array(
    fc.record({
      desk: fc.nat(20),
      domain: fc.constantFrom(...(['Site', 'Building', 'Floor', 'Floor'] as const)),
      area: fc.nat(20),
      modules: fc.nat(5),
    }),
    { maxLength: 5, size: 'max' },
  ),
  starts: fc.array(
    fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    { minLength: 3, maxLength: 3 },
  ),
})
/** What is done, and how often among all that is. */
const often = {
  mark: 9,
  floor: 6,
  refuse: 2,
  on: 4,
  away: 1,
  off: 1,
  add: 2,
  remove: 3,
  live: 2,
  change: 2,
  take: 3,
  give: 1,
  visit: 1,
  call: 2,
  text: 1,
  more: 1,
  answer: 1,
  instruct: 1,
  understand: 1,
  silent: 2,
  outage: 1,
}
type What = keyof typeof often
const deeds = Object.entries(often).flatMap(([what, times]) => new Array<What>(times).fill(what as What))

/** One of so many, and often one of the first few, of whom and where more happens. */
const oneOf = (many: number) => fc.oneof({ weight: 2, arbitrary: fc.nat(many) }, fc.nat(3))
const act = fc.record({
  what: fc.constantFrom(...deeds),
  who: fc.nat(20),
  whom: oneOf(40),
  where: oneOf(20),
  how: fc.nat(20),
  /** Seconds until it happens. */
  after: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 25 }) }, fc.integer({ min: 60, max: 200 })),
  /** How long before that it was seen. Null: the phone does not say. */
  ago: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 5 }), fc.integer({ min: -20, max: 400 })),
})
/** A floor that is reported again after someone was found there, which by chance alone is rare. */
const reportedAgain = act.map((one) => {
  const soon = { ...one, ago: null }
  return [
    { ...soon, what: 'mark' as const, how: 3 },
    { ...soon, what: 'floor' as const },
    { ...soon, what: 'mark' as const, how: 0 },
    { ...soon, what: 'floor' as const },
  ]
})
const acts = fc
  .array(fc.oneof({ weight: 30, arbitrary: act.map((one) => [one]) }, reportedAgain), {
    minLength: 4,
    maxLength: 80,
    size: 'max',
  })
  .map((some) => some.flat())
/** What a phone sends after the end: seen so many seconds before it, and sent so long after it. */
const late = fc.record({
  what: fc.constantFrom(...(['mark', 'refuse', 'floor'] as const)),
  who: fc.nat(20),
  whom: fc.nat(40),
  where: fc.nat(20),
  how: fc.nat(20),
  before: fc.integer({ min: 1, max: 600 }),
  after: fc.integer({ min: 1, max: 300 }),
})
export const scripts = fc.record({
  plan,
  acts,
  late: fc.array(late, { maxLength: 6 }),
})
/** What happens in one random event. `rest`: seconds from the last act to the end, 7 if it does not say. */
export type Script = (typeof scripts extends fc.Arbitrary<infer S> ? S : never) & { rest?: number }
export type Act = Script['acts'][number]
export type Late = Script['late'][number]
export type Plan = Script['plan']

/** The short name of a uid. */
export const shortNames = (uids: ReadonlyMap<string, string>) => {
  const names = new Map([...uids].map(([name, uid]) => [uid, name]))
  return (uid: string) => names.get(uid) ?? uid
}

/** One of them, by a number that may be larger. */
export const pick = <T>(all: readonly T[], nth: number): T | undefined => all[nth % Math.max(1, all.length)]

/** When a warden was on duty, as their own acts say. */
export function dutiesOf(deeds: readonly Deed[], id: string, end: number) {
  const all: { from: number; to: number }[] = []
  for (const deed of deeds) {
    const isOn = all.at(-1)?.to === end
    const closes = deed.did === 'off' && deed.by === id
    const closed = 'closed' in deed && (deed.closed as string[]).includes(id)
    if (isOn && (closes || closed)) (all.at(-1) as { to: number }).to = deed.at
    else if (!isOn && deed.by === id && (deed.did === 'on' || deed.did === 'start'))
      all.push({ from: deed.at, to: end })
  }
  return all
}
