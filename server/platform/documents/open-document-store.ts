import type { Config } from '../config/config.ts'
import { folderStore } from './document-folder.ts'
import type { DocumentStore } from './document-store.ts'

/** Opens the bucket named by DOCUMENTS_BUCKET, or a folder beside the database. */
export async function openDocumentStore({
  dataDir,
  documentsBucket,
}: Pick<Config, 'dataDir' | 'documentsBucket'>): Promise<DocumentStore> {
  if (!documentsBucket) return folderStore(dataDir)
  const { bucketStore } = await import('./document-bucket.ts') // large library, rarely used
  return bucketStore(documentsBucket)
}
