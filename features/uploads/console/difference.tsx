import { useQuery } from '@tanstack/react-query'
import { uploadChangeKinds } from '#kernel/console-kinds.ts'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { columnWord } from './column-words.ts'
import { changesQuery, type Upload, type UploadChange } from './uploads.data.ts'

type Kind = (typeof uploadChangeKinds)[number]
const kindWords: Record<Kind, string> = {
  added: 'Added',
  changed: 'Changed',
  ended: 'Ended',
  left: 'Left as it is',
}

/** The difference per file and row by row. File and kind stand in the address. */
export function Difference({ upload }: { upload: Upload }) {
  const address = useListAddress(['file', 'kind'])
  const { kind, ...query } = address.query
  const nameOf = (file: string) => fileName(upload, file)
  const read = useQuery(changesQuery(upload.uid, { ...query, ...(kind && { kind: kind as Kind }) }))
  const filter = (
    <div className="console-filters">
      <SelectField
        label="File"
        value={query.file ?? ''}
        options={[
          { value: '', label: 'All files' },
          ...upload.files.map(({ file }) => ({ value: file, label: nameOf(file) })),
        ]}
        onChange={(file: string) => address.filter({ file })}
      />
      <SelectField
        label="Change"
        value={kind ?? ''}
        options={[
          { value: '', label: 'All changes' },
          ...uploadChangeKinds.map((value) => ({ value: value as string, label: kindWords[value] })),
        ]}
        onChange={(value: string) => address.filter({ kind: value })}
      />
    </div>
  )
  return (
    <>
      <Counts upload={upload} />
      <List
        label="Changes"
        read={read}
        address={address}
        keyOf={({ seq }) => String(seq)}
        nameHead="Row"
        name={({ title }) => <span className="font-semibold wrap-anywhere">{title}</span>}
        columns={[
          { head: 'Change', cell: (row: UploadChange) => kindWords[row.kind] },
          { head: 'Cells', cell: CellsOf },
          { head: 'File', cell: (row: UploadChange) => placeOf(row, nameOf(row.file)) },
        ]}
        filters={filter}
        nobody="Nothing found with these filters."
        empty="Nothing would change."
      />
    </>
  )
}

/** A single table with other headings keeps the name that its owner knows. */
const fileName = ({ own_name }: Upload, file: string) => (own_name !== null && file === 'people.csv' ? own_name : file)

const placeOf = ({ file, line }: UploadChange, ownName: string) => {
  const name = file === 'accounts' ? 'Sign-in' : ownName
  return line === null ? name : `${name}, line ${line}`
}

function Counts({ upload }: { upload: Upload }) {
  const { files } = upload
  const isWide = useIsWide()
  if (!isWide)
    return (
      <ul aria-label="Changes by file" className="card grid gap-1">
        {files.map((row) => (
          <li key={row.file} className="wrap-anywhere">
            <span className="font-semibold">{fileName(upload, row.file)}</span>{' '}
            <span className="text-muted">
              {uploadChangeKinds
                .filter((kind) => row[kind] > 0)
                .map((kind) => `${formatCount(row[kind])} ${kindWords[kind].toLowerCase()}`)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
    )
  return (
    <div className="overflow-x-auto rounded-xl border border-hairline bg-surface">
      <table className="console-table">
        <caption className="sr-only">Changes by file</caption>
        <thead className="bg-raised text-muted">
          <tr>
            {['File', ...uploadChangeKinds.map((kind) => kindWords[kind])].map((head) => (
              <th key={head} scope="col" className="font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {files.map((row) => (
            <tr key={row.file}>
              <th scope="row">{fileName(upload, row.file)}</th>
              {uploadChangeKinds.map((kind) => (
                <td key={kind} className={`tabular-nums ${row[kind] === 0 ? 'text-muted' : 'font-semibold'}`}>
                  {formatCount(row[kind])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What a new row says beyond its name and the usual. */
const isTold = ({ column, after }: UploadChange['cells'][number]) =>
  !['code', 'name', 'first_name', 'last_name'].includes(column) && usual[column] !== after
const usual: Record<string, string> = { active: 'yes', is_client_master: 'no', kind: 'staff' }

function CellsOf({ kind, cells, places }: UploadChange) {
  const told = kind === 'changed' ? cells : cells.filter(isTold)
  if (told.length === 0) return null
  return (
    <ul className={kind === 'changed' ? 'grid gap-0.5' : 'flex flex-wrap gap-x-3 gap-y-0.5'}>
      {told.map(({ column, before, after }) => (
        <li key={column} className="wrap-anywhere">
          <span className="text-muted">{columnWord(column)}</span>{' '}
          {kind === 'changed' && (before !== null || after !== null) ? (
            <>
              <del className="text-muted">{named(before, places) ?? 'empty'}</del> →{' '}
              <ins className="no-underline">{named(after, places) ?? 'empty'}</ins>
            </>
          ) : (
            named(after, places)
          )}
        </li>
      ))}
    </ul>
  )
}

/** 'Tower A - Level 3' in place of 'TA/L3'. A place that the upload itself adds stays as its code. */
function named(cell: string | null, places: UploadChange['places']): string | null {
  const names = new Map(places.map(({ code, name }) => [code, name]))
  const codes = cell?.split(';') ?? []
  return codes.some((code) => names.has(code)) ? codes.map((code) => names.get(code) ?? code).join('; ') : cell
}
