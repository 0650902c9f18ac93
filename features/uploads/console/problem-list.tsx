import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { UploadUid } from '#kernel/ids.ts'
import { saveFile } from '#web/console/save-file.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { countOf } from './state-words.ts'
import { type Problems, problemsQuery, readErrors } from './uploads.data.ts'

/** The first cells that are wrong, or the first rows that an undo left as they are, and all of them as a file. */
export function ProblemList({ uid, isUndone }: { uid: UploadUid; isUndone: boolean }) {
  const { data, error } = useQuery(problemsQuery(uid))
  const { running, run } = useOneAction<'download'>()
  if (error) return <Notice variant="danger">The list could not be loaded.</Notice>
  if (!data) return <Skeleton parts={['line', 'line']} />
  const { problems, total } = data
  const handlePress = () =>
    void run('download', async () => {
      try {
        saveFile(await readErrors(uid), isUndone ? 'left.csv' : 'errors.csv')
      } catch (failure) {
        toast(consoleSentence(failure), { variant: 'danger' })
      }
    })
  const label = isUndone ? 'Left as they are' : 'Errors'
  return (
    <section aria-label={label} className="grid grid-cols-1 gap-3">
      {isUndone ? (
        <Notice variant="warning">
          {total === 1 ? '1 row was left as it is.' : `${countOf(total)} rows were left as they are.`} Everything else
          is as before.
        </Notice>
      ) : (
        <Notice variant="danger">
          {total === 1 ? '1 cell is wrong.' : `${countOf(total)} cells are wrong.`} Nothing was written. Correct the
          files and upload them again.
        </Notice>
      )}
      <Rows problems={problems} label={label} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          {total > problems.length && `The first ${countOf(problems.length)} of ${countOf(total)}.`}
        </p>
        <Button icon={Download} variant="outline" busy={running !== null} onClick={handlePress}>
          {isUndone ? 'Download the rows' : 'Download the errors'}
        </Button>
      </div>
    </section>
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
