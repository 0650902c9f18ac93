import type { Connection } from '#server/platform/db/db.ts'
import type { openDocumentStore } from '#server/platform/documents/open-document-store.ts'
import { type Program, tooLargeForServer } from '#server/platform/process-apart/make-in-process.ts'
import type { Grant } from '../download-tables.queries.ts'

/** What the process of an export is told. */
export interface ExportTask {
  connection: Connection
  documents: Parameters<typeof openDocumentStore>[0]
  grant: Grant
  /** Where the archive is written. */
  path: string
}

/** The variables by which the library of the bucket finds region, credentials and authorities. */
const bucketVariables = Object.entries(process.env).filter(([name]) => /^(AWS_|NODE_EXTRA_CA_CERTS$|HOME$)/.test(name))

export const exportProgram: Program = {
  url: new URL('./export-child.ts', import.meta.url),
  tooLarge: tooLargeForServer,
  // an archive may hold 2 GB of documents from a bucket
  mostSeconds: 600,
  env: Object.fromEntries(bucketVariables),
}

/** The archive among the stored files. */
export const storageKeyOf = (uid: string): string => `directory-${uid}.zip`
