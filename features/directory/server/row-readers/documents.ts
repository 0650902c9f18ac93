import { uidOf } from '../files/code-index.ts'
import { learn, type Reading, refer } from '../files/reading.ts'
import { longestText, type RowCells } from '../files/row-cells.ts'
import { readPersonCode } from './people.ts'

export function readDocument(row: RowCells, reading: Reading) {
  const { known } = reading
  const code = row.required('code')
  const url = readHttps(row)
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
  const document = {
    uid: uidOf(known.documents, code),
    code,
    name: row.required('name'),
    url,
    ...scope,
    active: row.yesNo('active', true),
  }
  learn(known.documents, code, { uid: document.uid, code }, row)
  return { ...document, path, storageKey }
}

function readFile(row: RowCells, { source }: Reading): { path?: string; storageKey?: string } {
  const name = row.text('file', 500)
  if (name === '') return {}
  const found = source.findDocument(name)
  if (!('problem' in found)) return found
  row.problem('file', found.problem)
  return {}
}

function readHttps(row: RowCells): string | null {
  const text = row.text('url', longestText)
  if (text === '') return null
  if (URL.canParse(text) && /^https:\/\/[^/]/.test(text) && !/\s/.test(text)) return text
  row.problem('url', 'is not an https:// address')
  return null
}
