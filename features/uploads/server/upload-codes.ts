import type { OtherHeadings } from '#features/directory/server/tables/bring-in.service.ts'
import { nextCodes, takeCodes } from '#features/directory/server/tables/person-codes.service.ts'
import { type Db, inClients } from '#server/platform/db/db.ts'
import { type UploadRecord, updateUpload } from './uploads.queries.ts'

/**
 * A check shows the codes that would be next and takes none. Applied, they are taken and kept with the upload, so
 * that a worker after a killed one gives no one another code.
 */
export function otherHeadingsOf(system: Db, upload: UploadRecord): OtherHeadings | undefined {
  const { clientUid, options, state } = upload
  if (!options.mapping) return undefined
  const made = new Map(options.made)
  return {
    mapping: options.mapping,
    made,
    makeCodes: async (lines) => {
      if (state === 'checking') return nextCodes(system, clientUid, lines.length)
      return inClients(system, [clientUid], async (tx) => {
        const codes = await takeCodes(tx, clientUid, lines.length)
        for (const [n, line] of lines.entries()) made.set(line, codes[n] ?? '')
        upload.options = { ...options, made: [...made] }
        await updateUpload(tx, upload, { options: upload.options })
        return codes
      })
    },
  }
}
