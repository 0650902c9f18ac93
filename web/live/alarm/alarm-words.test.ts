import { expect, test } from 'vitest'
import type { AlarmPlace } from '#features/live-updates/calls/alarms.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import type { ModuleFlag } from '#kernel/vocabulary.ts'
import { flags, noFlags, storedAuth } from '../../testing/stored-auth.ts'
import { alarmAddress, alarmCount, alarmWords } from './alarm-words.ts'

const at = (floor: string | null, counts: Partial<AlarmPlace>): AlarmPlace => ({
  building: { id: 'b1' as BuildingUid, name: 'Tower A' },
  floor: floor === null ? null : { id: floor as FloorUid, name: floor },
  danger: 0,
  refusals: 0,
  floor_status: null,
  ...counts,
})
const level5 = at('Level 5', { danger: 2 })

test.each<[string, number, AlarmPlace[]]>([
  ['1 person in danger, Tower A Level 5', 1, [at('Level 5', { danger: 1 })]],
  ['3 people in danger, Tower A Level 5 and 1 other floor', 3, [level5, at('Level 1', { danger: 1 })]],
  [
    '1,202 people in danger, Tower A Level 5 and 2 other places',
    1202,
    [level5, at(null, { danger: 1199 }), at('G', { danger: 1 })],
  ],
  ['1 refusal to evacuate, Tower A', 1, [at(null, { refusals: 1 })]],
  ['Assistance Required, Tower A Level 1', 1, [at('Level 1', { floor_status: 'Assistance Required' })]],
  [
    '2 people in danger, 2 refusals to evacuate, Assistance Required, Tower A Level 5 and 2 other floors',
    6,
    [
      level5,
      at('Level 1', { refusals: 2, floor_status: 'Assistance Required' }),
      at('Level 2', { floor_status: 'Assistance Required' }),
    ],
  ],
])('UX-10 %s', (words, count, places) => {
  expect([alarmWords(places, (text) => text), alarmCount(places)]).toEqual([words, count])
})

const addressOf = (places: AlarmPlace[], ...modules: ModuleFlag[]) =>
  alarmAddress(places, storedAuth({ module_access: modules.length > 0 ? flags(...modules) : noFlags }))

test.each<[string, AlarmPlace[]]>([
  ['display=danger&floor=Level+5', [level5, at('Level 1', { refusals: 1 })]],
  ['display=danger&floor=Level+5&building=b1', [level5, at(null, { danger: 1 })]],
  ['refusal=yes&floor=Level+1', [at('Level 1', { refusals: 1 }), at('Level 2', { floor_status: 'Help' })]],
  ['floor=Level+2', [at('Level 2', { floor_status: 'Help' })]],
  ['display=danger&area=everyone', Array.from({ length: 21 }, (_, n) => at(`Level ${n}`, { danger: 1 }))],
])("UX-10 'Open' leads to the people concerned, the gravest first: %s", (query, places) => {
  expect(addressOf(places, 'Module_Evacuee_Safety')).toBe(`/evacuee/safety?${query}`)
})

test('UX-10 who may not see evacuee safety is led to the floors, or nowhere', () => {
  expect(addressOf([level5], 'Module_Floor_Evacuation', 'Module_Floor_Evacuation_Status')).toBe('/floor/evacstatus')
  expect(addressOf([level5], 'Module_Floor_Evacuation')).toBe('/floor/evacuation')
  expect(addressOf([level5])).toBeUndefined()
})
