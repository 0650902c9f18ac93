import type { Config } from '../../platform/config/config.ts'
import { openDocumentStore } from '../../platform/documents/open-document-store.ts'
import { type Finding, fault, good } from './finding.ts'

/** Checks whether documents can be stored: writes a small object, or file, and removes it. */
export async function checkDocuments(config: Pick<Config, 'dataDir' | 'documentsBucket'>): Promise<Finding> {
  const { documentsBucket: bucket, dataDir } = config
  const where = bucket ? `the bucket ${bucket.name}${bucket.endpoint ? ` at ${bucket.endpoint}` : ''}` : dataDir
  try {
    const store = await openDocumentStore(config)
    await store.check()
    return good(`Documents can be stored in ${where}`)
  } catch (error) {
    return fault(`Documents cannot be stored in ${where}: ${reasonOf(error as Error)}`)
  }
}

/** Storage providers give a name and sometimes no message. */
const reasonOf = ({ name, message, code }: Error & { code?: string }) =>
  [code ?? name, message].filter((part) => part && part !== 'Error' && part !== 'UnknownError').join(', ')
