import { uploadChangeKinds } from '@evac/contract/console-rights.ts'
import { useQuery } from '@tanstack/react-query'
import { List } from '../../console/list/list.tsx'
import { useListAddress } from '../../console/list/list-address.ts'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { countOf } from './state-words.ts'
import { changesQuery, type Upload, type UploadChange } from './uploads.data.ts'

type Kind = (typeof uploadChangeKinds)[number]
const kindWords: Record<Kind, string> = {
  added: 'Added',
  changed: 'Changed',
  ended: 'Ended',
  left: 'Left as it is',
}

/** IMP-07: the difference per file and row by row. File and kind stand in the address. */
export function Difference({ upload }: { upload: Upload }) {
  const address = useListAddress(['file', 'kind'])
  const { kind, ...query } = address.query
  const read = useQuery(changesQuery(upload.uid, { ...query, ...(kind && { kind: kind as Kind }) }))
  const filter = (
    <div className="console-filters">
      <SelectField
        label="File"
        value={query.file ?? ''}
        options={[{ value: '', label: 'All files' }, ...upload.files.map(({ file }) => ({ value: file, label: file }))]}
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
          { head: 'File', cell: (row: UploadChange) => placeOf(row) },
        ]}
        filters={filter}
        nobody="Nothing found with these filters."
        empty="Nothing would change."
      />
    </>
  )
}

const placeOf = ({ file, line }: UploadChange) => {
  const name = file === 'accounts' ? 'Sign-in' : file
  return line === null ? name : `${name}, line ${line}`
}

function Counts({ upload: { files } }: { upload: Upload }) {
  const isWide = useIsWide()
  if (!isWide)
    return (
      <ul aria-label="Changes by file" className="card grid gap-1">
        {files.map((row) => (
          <li key={row.file} className="wrap-anywhere">
            <span className="font-semibold">{row.file}</span>{' '}
            <span className="text-muted">
              {uploadChangeKinds
                .filter((kind) => row[kind] > 0)
                .map((kind) => `${countOf(row[kind])} ${kindWords[kind].toLowerCase()}`)
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
              <th scope="row">{row.file}</th>
              {uploadChangeKinds.map((kind) => (
                <td key={kind} className={`tabular-nums ${row[kind] === 0 ? 'text-muted' : 'font-semibold'}`}>
                  {countOf(row[kind])}
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
  !['code', 'name', 'first_name', 'last_name'].includes(column) && !(column === 'active' && after === 'yes')

function CellsOf({ kind, cells }: UploadChange) {
  const told = kind === 'changed' ? cells : cells.filter(isTold)
  if (told.length === 0) return null
  return (
    <ul className={kind === 'changed' ? 'grid gap-0.5' : 'flex flex-wrap gap-x-3 gap-y-0.5'}>
      {told.map(({ column, before, after }) => (
        <li key={column} className="wrap-anywhere">
          <span className="text-muted">{column.replaceAll('_', ' ')}</span>{' '}
          {kind === 'changed' && (before !== null || after !== null) ? (
            <>
              <del className="text-muted">{before ?? 'empty'}</del> →{' '}
              <ins className="no-underline">{after ?? 'empty'}</ins>
            </>
          ) : (
            after
          )}
        </li>
      ))}
    </ul>
  )
}
