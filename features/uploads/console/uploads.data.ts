import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError, urlOf } from '#kernel/client/client.ts'
import { uploadLimits } from '#kernel/console-kinds.ts'
import type { UploadUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { consoleCall, readConsoleFile, sendConsoleFile } from '#web/session/console-session.ts'
import type { listUploadChanges, listUploadProblems, Mapping, Upload, UploadChange, UploadRow } from '../calls.ts'

export type { Mapping, Upload, UploadChange, UploadRow }
export type Problems = CallReply<typeof listUploadProblems>

type ChangesQuery = CallInput<typeof listUploadChanges>['query']

const isAtWork = ({ state }: Pick<Upload, 'state'>) => ['checking', 'applying', 'undoing'].includes(state)
/** Milliseconds between two looks at work. */
const progressPoll = 1_000

export const uploadsQuery = (query: { after?: string; before?: string }) =>
  queryOptions({
    queryKey: ['uploads', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/uploads', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isAtWork) ? progressPoll : false),
  })

export const uploadQuery = (uid: UploadUid) =>
  queryOptions({
    queryKey: ['upload', uid],
    queryFn: ({ signal }) => consoleCall('GET /api/console/uploads/:uid', { params: { uid } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isAtWork(data) ? progressPoll : false),
  })

export const problemsQuery = (uid: UploadUid) =>
  queryOptions({
    queryKey: ['upload', uid, 'problems'],
    queryFn: ({ signal }) => consoleCall('GET /api/console/uploads/:uid/problems', { params: { uid } }, { signal }),
  })

export const changesQuery = (uid: UploadUid, query: ChangesQuery) =>
  queryOptions({
    queryKey: ['upload', uid, 'changes', query],
    queryFn: ({ signal }) =>
      consoleCall('GET /api/console/uploads/:uid/changes', { params: { uid }, query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const apply = ({ uid, bad_rows }: Upload, ends: number | null) =>
  consoleCall('POST /api/console/uploads/:uid/apply', {
    params: { uid },
    body: { ends, ...(bad_rows > 0 && { leave_out: bad_rows }) },
  })

export const undo = (uid: UploadUid) => consoleCall('POST /api/console/uploads/:uid/undo', { params: { uid } })

export const drop = (uid: UploadUid) => consoleCall('POST /api/console/uploads/:uid/drop', { params: { uid } })

/** Has a worker make an export. Resolves with its uid once it is ready. Throws ApiError. */
export async function makeExport(): Promise<string> {
  const { uid } = await consoleCall('POST /api/console/export', {})
  for (;;) {
    const { state, message } = await readExport(uid)
    if (state === 'ready') return uid
    if (state === 'failed') throw new ApiError('invalid_request', message ?? 'The export failed. Try again.', 422)
    await new Promise((done) => setTimeout(done, progressPoll))
  }
}

const readExport = (uid: string) => consoleCall('GET /api/console/export/:uid', { params: { uid } })

/** Has the browser keep the export, by a link that works once. Throws ApiError. */
export async function downloadExport(uid: string): Promise<void> {
  const { link } = await readExport(uid)
  if (link) Object.assign(document.createElement('a'), { href: link }).click()
}

export const readTemplates = async (): Promise<{ name: string; file: Blob }> => {
  const { name, content } = await consoleCall('GET /api/console/tables/templates', {})
  return { name, file: new Blob([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))]) }
}

export const readErrors = (uid: UploadUid) =>
  readConsoleFile(urlOf({ path: '/api/console/uploads/:uid/problems/file' }, { params: { uid } }))

export const readLeftOut = (uid: UploadUid, file: string) =>
  readConsoleFile(urlOf({ path: '/api/console/uploads/:uid/left-out/:file' }, { params: { uid, file } }))

/** Sends the files in parts and has them checked. `onSent`: bytes so far. `mapping`: of a single table. */
export async function check(
  files: readonly File[],
  endMissing: boolean,
  onSent: (bytes: number) => void,
  mapping?: Mapping,
): Promise<UploadUid> {
  const large = files.find(({ size }) => size > uploadLimits.file)
  if (large) throw new ApiError('invalid_request', `${large.name} is larger than 300 MB.`, 422)
  const { uid } = await consoleCall('POST /api/console/uploads', {})
  const given: { file: string; parts: number }[] = []
  let sent = 0
  for (const file of files) {
    const name = mapping ? 'people.csv' : file.name
    const parts = Math.max(1, Math.ceil(file.size / uploadLimits.part))
    for (let n = 0; n < parts; n++) {
      const part = file.slice(n * uploadLimits.part, (n + 1) * uploadLimits.part)
      const url = urlOf(
        { path: '/api/console/uploads/:uid/files/:file' },
        { params: { uid, file: name }, query: { part: String(n + 1) } },
      )
      const { kept } = await sendConsoleFile<{ kept: boolean }>(url, part)
      sent += part.size
      onSent(sent)
      if (!kept) break
    }
    given.push({ file: name, parts })
  }
  await consoleCall('POST /api/console/uploads/:uid/check', {
    params: { uid },
    body: { files: given, end_missing: endMissing, ...(mapping && { mapping }) },
  })
  return uid
}
