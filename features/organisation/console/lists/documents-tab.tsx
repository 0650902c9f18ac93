import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { documentBytes } from '#kernel/console-kinds.ts'
import type { Form } from '#web/console/form/use-form.ts'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import {
  type DocumentBody,
  type DocumentRow,
  type Documents,
  documentsQuery,
  saveDocument,
  storeFile,
} from './lists.data.ts'
import { type Edited, RowDialog } from './row-dialog.tsx'

const labels = { name: 'Name', url: 'Link', file: 'File', site: 'Site', role: 'Role', in_use: 'In use' }
const valuesOf = (row: DocumentRow | undefined) => ({
  name: row?.name ?? '',
  url: row?.url ?? '',
  /** The name of the file that was chosen. */
  file: '',
  site: (row?.site?.uid ?? '') as string,
  role: (row?.role?.uid ?? '') as string,
  in_use: row?.in_use ?? true,
})
type DocumentValues = ReturnType<typeof valuesOf>

const accepted = '.pdf,.png,.jpg,.jpeg,.txt,.docx,.xlsx,.pptx,.odt,.ods'
const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Links and files for a site, a role or a person. */
export function DocumentsTab({ frame }: { frame: Frame }) {
  const address = useListAddress([])
  const read = useQuery(documentsQuery)
  const [edited, setEdited] = useState<Edited<DocumentRow>>(null)
  const [file, setFile] = useState<File | null>(null)
  const close = () => {
    setEdited(null)
    setFile(null)
  }
  return frame(
    <Button onClick={() => setEdited('new')}>Add</Button>,
    <>
      <List
        label="Documents"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        name={({ name, link }) => (
          <a href={link} target="_blank" rel="noreferrer" className="console-name">
            {name}
          </a>
        )}
        columns={[
          {
            head: 'Kind',
            cell: ({ kind, bytes }) =>
              kind ? `${kind.toUpperCase()}${bytes === null ? '' : `, ${sizeOf(bytes)}`}` : 'Link',
          },
          { head: 'For', cell: ScopeOf },
          { head: 'State', cell: ({ in_use }) => (in_use ? 'In use' : 'Out of use') },
        ]}
        actions={(row) => (
          <div className="console-acts">
            <Button variant="quiet" aria-label={`Change: ${row.name}`} onClick={() => setEdited(row)}>
              Change
            </Button>
          </div>
        )}
        empty="There are no documents yet."
      />
      <RowDialog
        edited={edited}
        onClose={close}
        what="document"
        queryKey={documentsQuery.queryKey}
        labels={labels}
        valuesOf={valuesOf}
        save={async (row, values, options) => saveDocument(row, await bodyOf(row, values, file), options)}
      >
        {(form) => (
          <DocumentFields form={form} choices={read.data} row={edited === 'new' ? null : edited} onFile={setFile} />
        )}
      </RowDialog>
    </>,
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
    ...{ name, in_use, file: stored, url: stored || url.trim() === row?.url ? '' : url },
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

interface FieldsProps {
  form: Form<DocumentValues>
  choices: Documents | undefined
  row: DocumentRow | null
  onFile: (file: File | null) => void
}

function DocumentFields({ form: { field, values, set, errors }, choices, row, onFile }: FieldsProps) {
  const any = { value: '', label: 'None' }
  const choose = (name: 'site' | 'role', options: { uid: string; name: string }[] = []) => (
    <SelectField
      label={labels[name]}
      value={values[name]}
      options={[any, ...options.map(({ uid, name: label }) => ({ value: uid, label }))]}
      hint={errors[name]}
      onChange={(value: string) => set({ [name]: value })}
    />
  )
  return (
    <>
      <TextField label={labels.name} data-autofocus {...field('name')} />
      <TextField label={labels.url} type="url" placeholder="https://" disabled={values.file !== ''} {...field('url')} />
      <FileField
        hint={
          row?.kind
            ? `Stored: ${row.kind.toUpperCase()}. Choose another file to replace it.`
            : 'Instead of a link, up to 20 MB.'
        }
        error={errors.file}
        onChoose={(file) => {
          onFile(file)
          set({ file: file?.name ?? '' })
        }}
      />
      {choose('site', choices?.sites)}
      {choose('role', choices?.roles)}
      {row?.person && <p className="text-sm text-muted">Only for {row.person.name}.</p>}
      <Checkbox label={labels.in_use} checked={values.in_use} onChange={(in_use) => set({ in_use })} />
    </>
  )
}

function FileField({
  hint,
  error,
  onChoose,
}: {
  hint: string
  error: string | undefined
  onChoose: (file: File | null) => void
}) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-semibold">
        {labels.file}
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
