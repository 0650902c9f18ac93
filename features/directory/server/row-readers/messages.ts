import * as limits from '#kernel/limits.ts'
import { columns } from '../../columns.ts'
import { type Coded, uidOf } from '../files/code-index.ts'
import { readCells } from '../files/kinds.ts'
import { checkNames, learn, type Reading } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'
import type { Held } from '../stored/stored-rows.ts'

export const readEventType = (row: RowCells, reading: Reading) =>
  learnRow(row, reading.known.eventTypes, readCells(row, columns.eventTypes, reading))
export const readFloorStatus = (row: RowCells, reading: Reading) =>
  learnRow(row, reading.known.floorStatuses, readCells(row, columns.floorStatuses, reading))
export const readTemplate = (row: RowCells, reading: Reading) =>
  learnRow(row, reading.known.templates, readCells(row, columns.templates, reading))

/** A row that is what its cells say. */
function learnRow<T extends { code: string }>(row: RowCells, known: Map<string, Coded>, cells: T) {
  const { code } = cells
  const uid = uidOf(known, code)
  learn(known, code, { uid, code }, row)
  return { ...cells, line: row.line, uid }
}

export function readChecklistItem(row: RowCells, reading: Reading) {
  const { checklist } = reading.known
  const cells = readCells(row, columns.checklist, reading)
  const item = { ...cells, uid: uidOf(checklist, cells.code) }
  const isRetired = !item.active && { isRetired: true as const }
  learn(checklist, item.code, { uid: item.uid, code: item.code, name: item.text, ...isRetired }, row)
  return item
}

/** 40 in use at most, and no two alike, because answers name an item by its text. */
export function checkChecklist(
  { known: { checklist }, problems }: Pick<Reading, 'known' | 'problems'>,
  { checklistItem }: Pick<Held, 'checklistItem'>,
) {
  const storedName = (uid: string) => checklistItem.get(uid)?.text
  checkNames(checklist, { storedName, file: 'checklist.csv', problems, column: 'text' })
  const inUse = [...checklist.values()].filter(({ isRetired }) => !isRetired).length
  if (inUse > limits.checklistItems)
    problems.add('checklist.csv', 0, '', `has more than ${limits.checklistItems} items in use`)
}
