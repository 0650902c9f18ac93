import { colourNames } from '#kernel/console-kinds.ts'
import * as limits from '#kernel/limits.ts'
import { eventKinds, kindOfTypeName, meansClearByName } from '#kernel/vocabulary.ts'
import { uidOf } from '../files/code-index.ts'
import { checkNames, learn, type Reading } from '../files/reading.ts'
import { longestText, type RowCells } from '../files/row-cells.ts'
import type { Held } from '../stored/stored-rows.ts'

export function readEventType(row: RowCells, { known }: Reading) {
  const code = row.required('code')
  const type = row.required('type')
  const eventType = {
    line: row.line,
    uid: uidOf(known.eventTypes, code),
    code,
    type,
    description: row.text('description', longestText),
    message: row.text('message', limits.messageLength),
    defaultKind: row.word('kind', eventKinds, kindOfTypeName(type)),
    active: row.yesNo('active', true),
  }
  learn(known.eventTypes, code, { uid: eventType.uid, code }, row)
  return eventType
}

/** A name, or #rrggbb. */
function readColour(row: RowCells): string {
  const text = row.plain('colour').toLowerCase()
  return /^#[0-9a-f]{6}$/.test(text) ? text : row.word('colour', colourNames)
}

export function readFloorStatus(row: RowCells, { known }: Reading) {
  const code = row.required('code')
  const name = row.required('name')
  const status = {
    uid: uidOf(known.floorStatuses, code),
    code,
    name,
    colour: readColour(row),
    displayOrder: row.integer('display_order'),
    inUse: row.yesNo('in_use', true),
    meansClear: row.yesNo('means_clear', meansClearByName(name)),
  }
  learn(known.floorStatuses, code, { uid: status.uid, code }, row)
  return status
}

export function readChecklistItem(row: RowCells, { known }: Reading) {
  const code = row.required('code')
  const item = {
    uid: uidOf(known.checklist, code),
    code,
    text: row.required('text', limits.checklistTextLength),
    displayOrder: row.integer('display_order'),
    active: row.yesNo('active', true),
  }
  const isRetired = !item.active && { isRetired: true as const }
  learn(known.checklist, code, { uid: item.uid, code, name: item.text, ...isRetired }, row)
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

export function readTemplate(row: RowCells, { known }: Reading) {
  const code = row.required('code')
  const template = {
    uid: uidOf(known.templates, code),
    code,
    type: row.word('type', ['Warden', 'Evacuee']),
    text: row.required('text', limits.messageLength),
    automatedResponse: row.word('automated_response', ['0', '1'], '0') === '1',
    active: row.yesNo('active', true),
  }
  learn(known.templates, code, { uid: template.uid, code }, row)
  return template
}
