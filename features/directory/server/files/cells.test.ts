import { expect, test } from 'vitest'
import { readDate, todayIn } from './dates.ts'
import { Problems } from './problems.ts'
import { RowCells } from './row-cells.ts'

test.for([
  ['2026-02-28', '2026-02-28'],
  ['today', '2026-12-30'],
  ['today+30', '2027-01-29'],
  ['Today -10', '2026-12-20'],
  ['2026-02-30', undefined],
  ['28/02/2026', undefined],
  ['2026-2-28', undefined],
  ['0026-02-28', undefined],
  ['tomorrow', undefined],
  ['today+', undefined],
] as const)('AUTH-06 the day %s is %s', ([text, day]) => {
  expect(readDate(text, '2026-12-30')).toBe(day)
})

test('AMB-151 today is the day in the zone of the site', () => {
  const now = new Date('2026-06-30T20:00:00Z')

  expect(todayIn('Australia/Sydney', now)).toBe('2026-07-01')
  expect(todayIn('America/New_York', now)).toBe('2026-06-30')
})

function cellsOf(cells: Record<string, string>) {
  const problems = new Problems()
  return {
    row: new RowCells({ file: 'people.csv', line: 2, cells }, problems),
    reasons: () => problems.list.map(({ reason }) => reason),
  }
}

test.for([
  ['a line break', 'Ada\nAbara'],
  ['a bell', 'Ada\u0007'],
  ['a sign that turns the text around it', 'Ada\u202Ecod.exe'],
  ['too many characters', 'a'.repeat(101)],
])('AUTH-06 a name may not hold %s', ([, name = '']) => {
  const { row, reasons } = cellsOf({ name })

  row.required('name')

  expect(reasons()).toHaveLength(1)
})

test.for(['\u200b', '\u00ad \u2060', '\u3164', '\u2800', '\ufe0f\u{e0041}'])(
  'AUTH-06 a cell in which nothing can be seen is empty: %j',
  (name) => {
    const { row, reasons } = cellsOf({ name, other: name })

    row.required('name')

    expect(reasons()).toEqual(['is empty'])
    expect(row.text('other')).toBe('')
  },
)

test('AUTH-06 a text may run over lines, and is kept as composed characters', () => {
  const { row, reasons } = cellsOf({ other: ' Two helpers\nRene\u0301e knows the way ' })

  expect(row.lines('other')).toBe('Two helpers\nRen\u00e9e knows the way')
  expect(reasons()).toEqual([])
})

test('AUTH-06 CONST-03 a password is taken as it is, never shorter than the sign-in page accepts', () => {
  expect(cellsOf({ password: ' secret' }).row.password('password')).toBe(' secret')

  const { row, reasons } = cellsOf({ password: '12345' })
  expect(row.password('password')).toBeNull()
  expect(reasons()).toEqual(['is shorter than 6 characters'])
})

test.for(['ada', 'ada@small', 'a da@small.test', 'ada@@small.test', 'ada@small..test', 'adà@small.test'])(
  'AUTH-06 %s is not an email address',
  (email) => {
    const { row, reasons } = cellsOf({ email })

    row.email('email')

    expect(reasons()).toEqual(['is not an email address'])
  },
)

test('AUTH-06 a user name holds no @: it would be taken for an email at sign-in', () => {
  const { row, reasons } = cellsOf({ username: 'wade@harbour', name: 'wade' })

  expect(row.username('name')).toBe('wade')
  row.username('username')

  expect(reasons()).toHaveLength(1)
})

test.for(['Sydney', '+10:00', 'Australia/Nowhere'])('AUTH-06 %s is not a time zone', (zone) => {
  const { row, reasons } = cellsOf({ zone })

  expect(row.timezone('zone', 'UTC')).toBe('UTC')
  expect(reasons()).toHaveLength(1)
})
