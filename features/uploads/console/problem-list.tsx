import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { saveFile } from '#web/console/save-file.ts'
import { toastFailure } from '#web/console/toast-done.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { goodRowsOf, rowsOf } from './state-words.ts'
import { type Problems, problemsQuery, readErrors, readLeftOut, type Upload } from './uploads.data.ts'

/** The first cells that are wrong, or the first rows that an undo left as they are, and all of them as a file. */
export function ProblemList({ upload }: { upload: Upload }) {
  const { uid } = upload
  const isUndone = upload.state === 'undone'
  const { data, error } = useQuery(problemsQuery(uid))
  const { running, run } = useOneAction<string>()
  if (error) return <Notice variant="danger">The list could not be loaded.</Notice>
  if (!data) return <Skeleton parts={['line', 'line']} />
  const { problems, total } = data
  const download = (name: string, read: () => Promise<Blob>) =>
    void run(name, async () => {
      try {
        saveFile(await read(), name)
      } catch (failure) {
        toastFailure(failure)
      }
    })
  const kept = upload.bad_files.filter(({ is_kept }) => is_kept)
  const all = isUndone ? 'left.csv' : 'errors.csv'
  const label = isUndone ? 'Left as they are' : 'Errors'
  return (
    <section aria-label={label} className="grid grid-cols-1 gap-3">
      <Told upload={upload} total={total} />
      {kept.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {kept.map(({ file, rows }) => (
            <Button
              key={file}
              icon={Download}
              variant="outline"
              busy={running === file}
              onClick={() => download(file, () => readLeftOut(uid, file))}
            >
              Download {rowsOf(rows)} of {file}
            </Button>
          ))}
        </div>
      )}
      <Rows problems={problems} label={label} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          {total > problems.length && `The first ${formatCount(problems.length)} of ${formatCount(total)}.`}
        </p>
        {(kept.length === 0 || kept.length < upload.bad_files.length) && (
          <Button
            icon={Download}
            variant="outline"
            busy={running === all}
            onClick={() => download(all, () => readErrors(uid))}
          >
            {isUndone ? 'Download the rows' : 'Download the errors'}
          </Button>
        )}
      </div>
    </section>
  )
}

/** What the errors keep back, and what can be done. */
function Told({ upload, total }: { upload: Upload; total: number }) {
  const { state, bad_rows, good_rows, bad_files, end_missing, may_apply } = upload
  if (state === 'undone')
    return (
      <Notice variant="warning">
        {total === 1 ? '1 row was left as it is.' : `${formatCount(total)} rows were left as they are.`} Everything else
        is as before.
      </Notice>
    )
  const repair = 'Download the rows below, correct them and upload that file.'
  const unkept =
    bad_files.some(({ is_kept }) => !is_kept) && ' Rows of plans are not kept: correct them in your own file.'
  if (state !== 'checked' && bad_rows > 0)
    return (
      <Notice variant="warning">
        {bad_rows === 1 ? '1 row was left out.' : `${formatCount(bad_rows)} rows were left out.`} {repair}
        {unkept}
      </Notice>
    )
  const wrong = total === 1 ? '1 cell is wrong' : `${formatCount(total)} cells are wrong`
  if (bad_rows > 0)
    return (
      <Notice variant="danger">
        {wrong}, in {rowsOf(bad_rows)}. Nothing has been written.{' '}
        {may_apply
          ? `You can bring in the ${goodRowsOf(good_rows)} now. Then download the rows below, correct them and upload that file.`
          : repair}
        {unkept}
      </Notice>
    )
  return (
    <Notice variant="danger">
      {wrong}. Nothing was written. Correct the files and upload them again.
      {end_missing && ' No row can be left out while people and assignments end that the files no longer have.'}
    </Notice>
  )
}

function Rows({ problems, label }: Pick<Problems, 'problems'> & { label: string }) {
  const isWide = useIsWide()
  if (!isWide)
    return (
      <ul aria-label={label} className="grid gap-3">
        {problems.map(({ file, line, column, reason }, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
          <li key={nth} className="card grid gap-1">
            <p className="font-bold wrap-anywhere">{reason}</p>
            <p className="text-muted">{[file, line > 0 && `line ${line}`, column].filter(Boolean).join(', ')}</p>
          </li>
        ))}
      </ul>
    )
  return (
    <div className="overflow-x-auto rounded-xl border border-hairline bg-surface">
      <table className="console-table">
        <caption className="sr-only">{label}</caption>
        <thead className="bg-raised text-muted">
          <tr>
            {['File', 'Line', 'Column', 'Reason'].map((head) => (
              <th key={head} scope="col" className="font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {problems.map(({ file, line, column, reason }, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
            <tr key={nth}>
              <th scope="row">{file}</th>
              <td className="tabular-nums">{line || ''}</td>
              <td>{column}</td>
              <td className="wrap-anywhere">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
