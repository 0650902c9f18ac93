import { columns } from '../../columns.ts'
import { uidOf } from '../files/code-index.ts'
import { readCells } from '../files/kinds.ts'
import { learn, type Reading, refer } from '../files/reading.ts'
import type { RowCells } from '../files/row-cells.ts'
import { readPersonCode } from './people.ts'

export function readDocument(row: RowCells, reading: Reading) {
  const { known } = reading
  const cells = readCells(row, columns.documents, reading)
  const { code, url } = cells
  const { path = null, storageKey = null } = readFile(row, reading)
  if (row.plain('url') === '' && row.plain('file') === '')
    row.problem('url', 'is empty and so is file: fill in one of them')
  if (url && (path || storageKey)) row.problem('file', 'is filled in as well as url: fill in one of them')
  const scope = {
    siteUid: row.plain('site') === '' ? null : (refer(known.sites, row, 'site')?.uid ?? null),
    roleUid: row.plain('role') === '' ? null : (refer(known.roles, row, 'role')?.uid ?? null),
    personUid: row.plain('person') === '' ? null : (readPersonCode(row, reading)?.uid ?? null),
  }
  if (['site', 'role', 'person'].every((column) => row.plain(column) === ''))
    row.problem('site', 'is empty and so are role and person: fill in at least one')
  const uid = uidOf(known.documents, code)
  learn(known.documents, code, { uid, code }, row)
  return { ...cells, uid, ...scope, path, storageKey }
}

function readFile(row: RowCells, { source }: Reading): { path?: string; storageKey?: string } {
  const name = row.text('file', 500)
  if (name === '') return {}
  const found = source.findDocument(name)
  if (!('problem' in found)) return found
  row.problem('file', found.problem)
  return {}
}
