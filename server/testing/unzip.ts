import { fromBufferPromise } from 'yauzl'

/** The files of an archive by name. */
export async function unzip(archive: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(archive)
  const files: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk))
    files[entry.fileName] = Buffer.concat(chunks)
  }
  return files
}
