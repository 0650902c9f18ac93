import { ZipFile } from 'yazl'
import { templateFiles } from '#features/directory/server/tables/templates.service.ts'

/** The zip of the templates, in base64. */
export async function zipTemplates(): Promise<string> {
  const zip = new ZipFile()
  for (const { name, text } of templateFiles()) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('base64')
}
