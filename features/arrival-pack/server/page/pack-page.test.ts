import { expect, test } from 'vitest'
import { textOf } from '../pack.fixture.ts'
import type { PackContent } from '../pack-content.service.ts'
import { packPage } from './pack-page.ts'

const at = new Date('2026-11-25T00:14:48Z')
const long = 'Ängström Ωmega '.repeat(8).slice(0, 100)
const someone = { personUid: 'p' as never }
const person = { ...someone, name: long, role: long, mobile: '61491570006' }
const each = <T>(count: number, make: (nth: number) => T) => Array.from({ length: count }, (_, nth) => make(nth))

/** Many of everything: hazards, people in danger, people with a plan, buildings with cleared and open floors. */
const crowded = (over: Partial<PackContent> = {}): PackContent => ({
  event: { at, type: 'Fire', kind: 'live', site: long, timezone: 'Australia/Sydney', beganAt: at, endedAt: null },
  inCommand: null,
  places: each(400, (nth) => ({
    buildingUid: `b${Math.floor(nth / 4)}` as never,
    building: `${Math.floor(nth / 4)} ${long}`,
    floorUid: `f${nth}` as never,
    floor: long,
    action: 'evacuate' as const,
    actionWhere: '',
    actionFrom: at,
    actionBefore: null,
    status: long,
    isClear: nth % 2 === 0,
    statusAt: at,
    role: long,
    unknown: 1,
    danger: 1,
  })),
  hazards: each(50, (nth) => ({
    ...{
      uid: `${nth}`,
      buildingUid: null,
      floorUid: null,
      place: long,
      words: long,
      byUid: 'p' as never,
      by: long,
      role: long,
      at,
      inDrill: false,
    },
  })),
  danger: each(200, () => ({
    place: long,
    ...someone,
    name: long,
    at,
    byUid: null,
    by: long,
    role: long,
    ownWord: null,
  })),
  help: each(500, (nth) => ({
    ...{
      personUid: `p${nth}` as never,
      planUid: `q${nth}`,
      place: 'Tower A, Level 1',
      assistance: 'Ω'.repeat(300),
      isCut: true,
    },
    status: 'unknown' as const,
    seenAt: at,
  })),
  contacts: each(20, () => ({ ...person, ofAll: 23 })),
  ...over,
})
const addresses = { url: 'https://evac.example/p/x', here: '/p/x/y', endsAt: at }

test('PACK-08 a page for too much says of each list how much it leaves out, and stays below 100 kB', () => {
  const { page, shown } = packPage(crowded(), addresses)
  const text = textOf(page)

  expect(Buffer.byteLength(page)).toBeLessThan(100_000)
  const more = (what: string) => Number(new RegExp(`And (\\d+) more ${what}\\. Ask`).exec(text)?.[1] ?? 0)
  const count = (part: string) => text.split(part).length - 1
  expect(count('Noted ') + more('hazards')).toBe(50)
  expect(count('Recorded ') + more('in danger')).toBe(400)
  expect(count('There is more: ask the person in command.') + more('who need help')).toBe(500)
  expect(shown).toHaveLength(500 - more('who need help'))
  const cleared = /Cleared floors (.*) Contacts/.exec(text)?.[1] ?? ''
  expect((cleared.match(/\d+ Ängström/g)?.length ?? 0) + more('buildings with cleared floors')).toBe(100)
  expect(more('hazards')).toBeGreaterThan(0)
  expect(more('buildings with cleared floors')).toBeGreaterThan(0)
  expect(more('event managers')).toBe(3)
})

test('PACK-08 a page that holds everything leaves nothing out', () => {
  const { places, hazards, danger, help, contacts } = crowded()
  const few = { places: places.slice(0, 8), hazards: hazards.slice(0, 3), help: help.slice(0, 3) }
  const some = { danger: danger.slice(0, 8), contacts: contacts.slice(0, 2).map((one) => ({ ...one, ofAll: 2 })) }

  const { page } = packPage(crowded({ ...few, ...some }), addresses)

  expect(textOf(page)).not.toMatch(/And \d+ more/)
})

test('PACK-10 each sheet of paper says site, moment and page; the name of a site cannot end its style', () => {
  const site = 'He said "Hi" </style><script>\\'
  const { event } = crowded()
  const { page, style } = packPage(crowded({ event: { ...event, site }, places: [], help: [], hazards: [] }), addresses)

  expect(page.match(/<\/style>/g)).toHaveLength(1)
  expect(page).not.toContain('<script')
  expect(style).toContain(
    '@bottom-left{content:"He said \\22 Hi\\22  \\3c \\2f style\\3e \\3c script\\3e \\5c , as of Wed, 25 Nov 2026, 11:14:48 AEDT"',
  )
  expect(style).toContain('"Page " counter(page) " of " counter(pages)')
})
