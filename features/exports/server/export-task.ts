import type { ExportFormat, ExportNames } from '#features/records/kinds.ts'
import type { Reach } from '#features/records/server/record-access.service.ts'
import type { EventUid, PersonUid } from '#kernel/ids.ts'
import type { Connection } from '#server/platform/db/db.ts'
import { type Program, tooLargeForServer } from '#server/platform/process-apart/make-in-process.ts'

/** What the process of an export is told. It never has the key that signs heads. */
export interface ExportTask {
  connection: Connection
  eventUid: EventUid
  personUid: PersonUid
  reach: Reach
  format: ExportFormat
  names: ExportNames
  /** The newest head. Null: nothing of this event is sealed. */
  head: { size: number; root: string } | null
  /** The newest checkpoint of the log of heads, signed. Null: no head was ever kept. */
  heads: { size: number; note: string } | null
  /** The public key that signs here, in base64. */
  key: { name: string; keyId: string; publicKey: string }
  /** Folder with further fonts. Empty: none. */
  fontsDir: string
  /** Where the file is written. */
  path: string
}

/** How long a process may take. What is too large for a PDF or for spreadsheets is still had as a bundle. */
export const mostSeconds = { pdf: 120, csv: 120, bundle: 600 } as const satisfies Record<ExportFormat, number>

export const exportProgram = (format: ExportFormat): Program => ({
  url: new URL('./export-child.ts', import.meta.url),
  tooLarge: format === 'bundle' ? tooLargeForServer : 'Too large for this server: use the bundle.',
  mostSeconds: mostSeconds[format],
})

/** Why no file is made of a record, in words for people. */
export class TooLarge extends Error {}

/** The newest head does not cover the whole log yet. */
export class NotSealed extends Error {}
