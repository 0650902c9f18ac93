import { realpathSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { uidOf } from '../files/known.ts'
import { learn, type Reading, refer } from '../files/reading.ts'
import { longestText, type RowCells } from '../files/row-cells.ts'
import { readPersonCode } from './people.ts'

export function readDocument(row: RowCells, reading: Reading) {
  const { known } = reading
  const code = row.required('code')
  const url = readHttps(row)
  const path = readFilePath(row, reading.folder)
  if (row.plain('url') === '' && row.plain('file') === '')
    row.problem('url', 'is empty and so is file: fill in one of them')
  if (url && path) row.problem('file', 'is filled in as well as url: fill in one of them')
  const scope = {
    siteUid: row.plain('site') === '' ? null : (refer(known.sites, row, 'site')?.uid ?? null),
    roleUid: row.plain('role') === '' ? null : (refer(known.roles, row, 'role')?.uid ?? null),
    personUid: row.plain('person') === '' ? null : (readPersonCode(row, reading)?.uid ?? null),
  }
  if (['site', 'role', 'person'].every((column) => row.plain(column) === ''))
    row.problem('site', 'is empty and so are role and person: fill in at least one')
  const document = { uid: uidOf(known.documents, code), code, name: row.required('name'), url, ...scope, active: true }
  learn(known.documents, code, { uid: document.uid, code }, row)
  return { ...document, path }
}

function readHttps(row: RowCells): string | null {
  const text = row.text('url', longestText)
  if (text === '') return null
  if (URL.canParse(text) && /^https:\/\/[^/]/.test(text) && !/\s/.test(text)) return text
  row.problem('url', 'is not an https:// address')
  return null
}

/** Types that browsers or office programs open. None of them runs code. */
const extensions = ['.pdf', '.png', '.jpg', '.jpeg', '.txt', '.docx', '.xlsx', '.pptx', '.odt', '.ods']

/** Absolute path of a file inside the folder, after following links. Null if there is none. */
function readFilePath(row: RowCells, folder: string): string | null {
  const text = row.text('file', 500)
  if (text === '') return null
  const path = join(folder, text)
  const refuse = (reason: string) => {
    row.problem('file', reason)
    return null
  }
  if (/^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/.test(text)) return refuse('must be a path inside the folder')
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return refuse('is not there')
  if (!realpathSync(path).startsWith(realpathSync(folder) + sep)) return refuse('must be a path inside the folder')
  return extensions.includes(extname(path).toLowerCase()) ? path : refuse(`is none of ${extensions.join(' ')}`)
}
