import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { UploadUid } from '#kernel/ids.ts'
import { useZone } from '#web/console/me.data.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { formatCount } from '#web/lib/counts.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { ApplyButtons } from './apply-buttons.tsx'
import { Difference } from './difference.tsx'
import { ProblemList } from './problem-list.tsx'
import { kindWords, stateWords } from './state-words.ts'
import { UndoButton } from './undo-button.tsx'
import { type Upload, uploadQuery } from './uploads.data.ts'

/** An upload: what is wrong, or what it would change; how far it is; what it has changed. */
export function UploadPage({ uid }: { uid: UploadUid }) {
  const { data: upload, error, refetch, isFetching } = useQuery(uploadQuery(uid))
  const zone = useZone()
  useTellDone(upload)
  if (!upload)
    return error ? (
      <>
        <Notice variant="danger">{consoleSentence(error)}</Notice>
        <TryAgain onPress={() => void refetch()} busy={isFetching} />
      </>
    ) : (
      <Skeleton parts={['line', 'line', 'line']} />
    )
  return (
    <PageFrame
      isBelow
      title={`${kindWords[upload.kind]} of ${formatMomentIn(upload.at, zone)}`}
      purpose={`${stateWords[upload.state]}. Uploaded by ${upload.by}.`}
      button={
        upload.undo_until !== null ? (
          <UndoButton uid={uid} until={upload.undo_until} />
        ) : (
          upload.state === 'checked' && <ApplyButtons upload={upload} />
        )
      }
    >
      {upload.progress && <Progress {...upload.progress} isUndoing={upload.state === 'undoing'} />}
      {upload.notice && <Notice variant="warning">{upload.notice}</Notice>}
      {upload.state === 'dropped' && <Notice variant="info">This upload was discarded. Nothing was written.</Notice>}
      {!upload.progress && <Found upload={upload} />}
    </PageFrame>
  )
}

/** The toast once the worker is done. */
function useTellDone(upload: Upload | undefined) {
  const before = useRef(upload?.state)
  const client = useQueryClient()
  useEffect(() => {
    const was = before.current
    before.current = upload?.state
    const isApplied = was === 'applying' && upload?.state === 'applied'
    const isUndone = was === 'undoing' && upload?.state === 'undone'
    if (!isApplied && !isUndone) return
    const { added, changed, ended } = upload
    toastDone(
      isUndone
        ? 'Undone.'
        : `Applied: ${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(ended)} ended.`,
    )
    void client.invalidateQueries()
  }, [upload, client])
}

function Progress({ stage, done, total, isUndoing }: NonNullable<Upload['progress']> & { isUndoing: boolean }) {
  const share = total > 0 ? Math.floor((done / total) * 100) : 0
  const what = isUndoing ? 'Undoing' : stage === 'writing' ? 'Applying' : 'Checking'
  return (
    <div className="card grid gap-2">
      <p role="status" className="font-semibold tabular-nums">
        {what}: {formatCount(done)} of {formatCount(total)}
      </p>
      <progress className="w-full" aria-label={what} max={100} value={share} />
      <p className="text-sm text-muted">This continues when you close the page.</p>
    </div>
  )
}

function Found({ upload }: { upload: Upload }) {
  return (
    <>
      {upload.windows.map(({ file, samples }) => (
        <Notice key={file} variant="warning">
          {file}: Read as Windows text. Check names with accents.
          {samples.length > 0 && ` ${samples.join(', ')}`}
        </Notice>
      ))}
      {upload.left_out.length > 0 && (
        <Notice variant="warning">
          <p className="font-semibold">Left out</p>
          <ul>
            {upload.left_out.map(({ file, reason }) => (
              <li key={file} className="wrap-anywhere">
                {file}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {upload.hints.map((hint) => (
        <Notice key={`${hint.file} ${hint.reason}`} variant="warning">
          {hint.file}, {linesOf(hint)}: {hint.reason}
        </Notice>
      ))}
      {upload.state === 'checked' && upload.without_floor > 0 && (
        <Notice variant="warning">
          {formatCount(upload.without_floor)} will have no floor: they are counted in no event.
        </Notice>
      )}
      {upload.problems > 0 && <ProblemList upload={upload} />}
      {upload.files.length > 0 && <Difference upload={upload} />}
      {upload.problems === 0 && upload.files.length === 0 && upload.state === 'checked' && (
        <p className="console-none">
          {upload.left_out.length > 0
            ? 'No file could be read. Nothing was written.'
            : 'The files match what is already there. Nothing would change.'}
        </p>
      )}
    </>
  )
}

/** 'line 4', 'lines 4, 9 and 12', 'lines 4, 9 and 31 more' */
function linesOf({ rows, lines }: Upload['hints'][number]): string {
  const last = rows > lines.length ? `${formatCount(rows - lines.length)} more` : ''
  const all = [...lines.map(String), last].filter(Boolean)
  return `${rows === 1 ? 'line' : 'lines'} ${new Intl.ListFormat('en-AU').format(all)}`
}
