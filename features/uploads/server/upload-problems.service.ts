import { reasonHeading } from '#features/directory/server/tables/bring-in.service.ts'
import { uploadLimits } from '#kernel/console-kinds.ts'
import type { UploadUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { csvLine, withoutApostrophe } from '#server/platform/csv.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { downloadLeftOutRows, listUploadProblems } from '../calls.ts'
import * as found from './upload-found.queries.ts'
import { requireUpload } from './uploads.service.ts'

/** The first of them. */
export async function presentProblems(
  tx: Tx,
  administrator: Administrator,
  uid: UploadUid,
): Promise<CallAnswer<typeof listUploadProblems>> {
  const upload = await requireUpload(tx, administrator, uid)
  const shown = { most: uploadLimits.problemsShown, seesPlans: administrator.seesPlans }
  return { problems: await found.listProblems(tx, upload, shown), total: upload.problems }
}

const mostInFile = 100_000

/** All of them as CSV. */
export async function problemsFile(tx: Tx, administrator: Administrator, uid: UploadUid): Promise<string> {
  const upload = await requireUpload(tx, administrator, uid)
  const rows = await found.listProblems(tx, upload, { most: mostInFile, seesPlans: administrator.seesPlans })
  const lines = rows.map(({ file, line, column, reason }) => csvLine([file, String(line || ''), column, reason]))
  return `\ufeff${csvLine(['file', 'line', 'column', 'reason'])}${lines.join('')}`
}

/** The rows of a file that were left out, as they stood there, each behind its reasons. Repaired, it can be uploaded as it is. */
export async function leftOutFile(
  tx: Tx,
  administrator: Administrator,
  { uid, file }: CallInput<typeof downloadLeftOutRows>['params'],
): Promise<string> {
  const upload = await requireUpload(tx, administrator, uid)
  const of = upload.state === 'undone' ? undefined : upload.result?.rows?.leftOut.find((one) => one.file === file)
  if (!of || of.headings.length === 0) throw new Refusal('not_found')
  const lines = [...Map.groupBy(await found.listOfFile(tx, upload, file), ({ line }) => line).values()].map(
    (problems) => {
      const cells = problems[0]?.cells
      const reasons = problems.map(({ column, reason }) =>
        reasonBeside({ column, reason }, cells?.[of.headings.indexOf(column)]),
      )
      return cells ? csvLine([reasons.join('; '), ...cells.map(withoutApostrophe)]) : ''
    },
  )
  return `\ufeff${csvLine([reasonHeading, ...of.headings])}${lines.join('')}`
}

/** "email 'ada' is not an email address" */
function reasonBeside({ column, reason }: Pick<found.ProblemRow, 'column' | 'reason'>, cell = ''): string {
  if (/^[A-Z]/.test(reason)) return column ? `${column}: ${reason}` : reason
  return [column, cell.trim() && !reason.startsWith("'") && `'${cell.trim()}'`, reason].filter(Boolean).join(' ')
}
