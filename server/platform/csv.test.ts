import { expect, test } from 'vitest'
import { csvLine, withoutApostrophe } from './csv.ts'

test('IMP-17 a cell that a spreadsheet would compute or an import pass over gets an apostrophe, in either width, which reading takes off', () => {
  const formulas = [
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1+1',
    '＋1+1',
    '－1+1',
    '＠SUM(A1)',
    "'=1",
    "'＝1",
    '# 7',
    "'# 7",
  ]
  for (const cell of formulas) {
    const written = csvLine([cell]).trimEnd().replace(/^"|"$/g, '')
    expect([cell, written.startsWith("'")]).toEqual([cell, true])
    expect(withoutApostrophe(`'${cell}`)).toBe(cell)
  }
  for (const cell of ['+61 491 000 001', '-5', 'a＝b', "O'Hara", '#7']) expect(csvLine([cell])).toBe(`${cell}\r\n`)
})
