import { X } from 'lucide-react'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import type { MappedColumn } from '#kernel/console-kinds.ts'
import { Failure } from '#web/console/failure.tsx'
import { navigate } from '#web/pages/navigate.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { MatchColumns } from './match-columns.tsx'
import {
  asNamed,
  type Chosen,
  findOtherHeadings,
  guess,
  isNamed,
  mappingOf,
  type OtherHeadings,
} from './other-headings.ts'
import { check } from './uploads.data.ts'

const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** The files of an upload. A file with the name of a chosen one takes its place. */
export function ChooseFiles({ mayEnd }: { mayEnd: boolean }) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [endMissing, setEndMissing] = useState(false)
  const [sent, setSent] = useState<number | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const other = useOtherHeadings(files)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const add = (given: readonly File[]) => {
    const more = given.map(asNamed)
    setFailure(null)
    setFiles((now) => [...now.filter(({ name }) => more.every((file) => file.name !== name)), ...more])
  }
  const handleCheck = async () => {
    setFailure(null)
    setSent(0)
    try {
      const uid = await check(files, endMissing && !other.table, setSent, other.mapping)
      navigate(`/console/tables/${uid}`)
    } catch (error) {
      setFailure(error)
      setSent(null)
    }
  }
  return (
    <section aria-label="Upload" className="grid grid-cols-1 gap-3">
      <DropArea onFiles={add} />
      {files.length > 0 && (
        <>
          <ul aria-label="Chosen files" className="card grid gap-1">
            {files.map((file) => (
              <li key={file.name} className="flex min-w-0 items-center gap-3">
                <span className="min-w-0 flex-1 wrap-anywhere">{file.name}</span>
                <span className="text-sm text-muted tabular-nums">{sizeOf(file.size)}</span>
                <IconButton
                  icon={X}
                  plain
                  label={`Leave out ${file.name}`}
                  onClick={() => setFiles(files.filter((other) => other !== file))}
                />
              </li>
            ))}
          </ul>
          {other.table && <MatchColumns table={other.table} chosen={other.chosen} onChange={other.choose} />}
          {mayEnd && !other.table && (
            <Checkbox
              label="End people and assignments that the files no longer have"
              checked={endMissing}
              onChange={setEndMissing}
            />
          )}
          <Failure of={failure === null ? null : consoleSentence(failure)} />
          <div className="console-end items-center">
            <p role="status" className="text-sm text-muted tabular-nums empty:hidden">
              {sent !== null && `Sending: ${sizeOf(sent)} of ${sizeOf(total)}`}
            </p>
            <Button busy={sent !== null} disabled={!other.isReady} onClick={() => void handleCheck()}>
              Check
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

/** The columns of a single table whose headings are not ours, as guessed and as chosen. */
function useOtherHeadings(files: readonly File[]) {
  const [read, setRead] = useState<{ of: readonly File[]; table: OtherHeadings | null }>()
  const [chosen, setChosen] = useState<Chosen>({})
  useEffect(() => {
    let isCurrent = true
    void findOtherHeadings(files).then((table) => {
      if (!isCurrent) return
      setRead({ of: files, table })
      setChosen(table ? guess(table.headings) : {})
    })
    return () => {
      isCurrent = false
    }
  }, [files])
  const table = read?.of === files ? read.table : null
  return {
    table,
    chosen,
    isReady: read?.of === files && (!table || isNamed(chosen)),
    choose: (column: MappedColumn, heading: string) => setChosen((now) => ({ ...now, [column]: heading })),
    mapping: table ? mappingOf(table, chosen) : undefined,
  }
}

function DropArea({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <fieldset
      aria-labelledby={id}
      className={`console-none ${isOver ? 'bg-raised' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
    >
      <p id={id} className="font-semibold">
        Drop files here or choose them
      </p>
      <p className="text-sm text-muted">
        CSV files in the import format, your own table, or the zip of an export. Nothing is written yet.
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        data-testid="files"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button variant="outline" onClick={() => input.current?.click()}>
        Choose files
      </Button>
    </fieldset>
  )
}
