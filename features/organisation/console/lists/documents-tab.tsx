import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { documentBytes } from '#kernel/console-kinds.ts'
import { Fields, type FieldsOf } from '#web/console/form/fields.tsx'
import type { Frame } from '#web/console/page-frame.tsx'
import type { DocumentRow } from '../../calls/lists.ts'
import { ListTab } from './list-tab.tsx'
import { type DocumentBody, documentsQuery, saveDocument, storeFile } from './lists.data.ts'

/** `file`: the name of the file that was chosen. */
const begun = { name: '', url: '', file: '', site: '', role: '', in_use: true }
type DocumentValues = typeof begun
const valuesOf = ({ name, url, site, role, in_use }: DocumentRow): DocumentValues => ({
  name,
  url: url ?? '',
  file: '',
  site: site?.uid ?? '',
  role: role?.uid ?? '',
  in_use,
})

const accepted = '.pdf,.png,.jpg,.jpeg,.txt,.docx,.xlsx,.pptx,.odt,.ods'
const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
const kindOf = ({ kind, bytes }: DocumentRow) =>
  kind ? `${kind.toUpperCase()}${bytes === null ? '' : `, ${sizeOf(bytes)}`}` : 'Link'
const optionsOf = (rows: readonly { uid: string; name: string }[] = []) => [
  { value: '', label: 'None' },
  ...rows.map(({ uid, name }) => ({ value: uid, label: name })),
]

/** Links and files for a site, a role or a person. */
export function DocumentsTab({ frame }: { frame: Frame }) {
  const read = useQuery(documentsQuery)
  const file = useRef<File>(null)
  const fields: FieldsOf<DocumentValues> = {
    name: { label: 'Name', 'data-autofocus': true },
    url: { label: 'Link', type: 'url', placeholder: 'https://', disabled: (values) => values.file !== '' },
    file: { label: 'File' },
    site: { label: 'Site', options: optionsOf(read.data?.sites) },
    role: { label: 'Role', options: optionsOf(read.data?.roles) },
    in_use: { label: 'In use' },
  }
  return (
    <ListTab
      frame={frame}
      label="Documents"
      what="document"
      read={read}
      queryKey={documentsQuery.queryKey}
      nameOf={({ name }) => name}
      name={({ name, link }) => (
        <a href={link} target="_blank" rel="noreferrer" className="console-name">
          {name}
        </a>
      )}
      columns={[
        { head: 'Kind', cell: kindOf },
        { head: 'For', cell: ScopeOf },
      ]}
      empty="There are no documents yet."
      begun={begun}
      valuesOf={valuesOf}
      fields={fields}
      save={async (row, values, options) =>
        saveDocument(row, await bodyOf(row, values, values.file ? file.current : null), options)
      }
    >
      {(form, row) => (
        <>
          <Fields of={fields} form={form} only={['name', 'url']} />
          <FileField
            label={fields.file.label}
            hint={
              row?.kind
                ? `Stored: ${row.kind.toUpperCase()}. Choose another file to replace it.`
                : 'Instead of a link, up to 20 MB.'
            }
            error={form.errors.file}
            onChoose={(chosen) => {
              file.current = chosen
              form.set({ file: chosen?.name ?? '' })
            }}
          />
          <Fields of={fields} form={form} only={['site', 'role']} />
          {row?.person && <p className="text-sm text-muted">Only for {row.person.name}.</p>}
          <Fields of={fields} form={form} only={['in_use']} />
        </>
      )}
    </ListTab>
  )
}

function ScopeOf({ site, role, person }: DocumentRow): ReactNode {
  return [site, role, person].flatMap((scope) => scope?.name ?? []).join(', ')
}

async function bodyOf(row: DocumentRow | undefined, values: DocumentValues, file: File | null): Promise<DocumentBody> {
  const { name, url, site, role, in_use } = values
  // a file that is chosen replaces a link
  const stored = file ? (await storeFile(checked(file))).file : ''
  return {
    name,
    in_use,
    file: stored,
    url: stored || url.trim() === row?.url ? '' : url,
    site: (site || null) as DocumentBody['site'],
    role: (role || null) as DocumentBody['role'],
    person: row?.person?.uid ?? null,
  }
}

/** Told before the file is sent. */
function checked(file: File): File {
  if (file.size <= documentBytes.each) return file
  const message = 'The file is larger than 20 MB.'
  throw new ApiError('body_too_large', message, 413, { problems: [{ field: 'file', row: 1, message }] })
}

interface FileFieldProps {
  label: string
  hint: string
  error: string | undefined
  onChoose: (file: File | null) => void
}

function FileField({ label, hint, error, onChoose }: FileFieldProps) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accepted}
        className="field font-normal"
        aria-describedby={`${id}-note`}
        aria-invalid={error ? true : undefined}
        onChange={({ target }) => onChoose(target.files?.[0] ?? null)}
      />
      <p id={`${id}-note`} className={`mt-1 text-sm ${error ? 'text-danger-ink' : 'text-muted'}`}>
        {error ?? hint}
      </p>
    </div>
  )
}
