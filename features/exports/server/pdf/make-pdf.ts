import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from '../export-task.ts'
import type { RecordData } from '../record-data.ts'
import { Drawable, openFonts } from './glyphs.ts'
import { fontFolders, pdfPackages } from './pdf-packages.ts'
import { pagesOf, unknownLetters } from './pdf-pages.ts'
import type { Pages } from './pdf-parts.ts'

const require = createRequire(import.meta.url)
const template = new URL('./record.typ', import.meta.url)

/** Throws `TooLarge` above 8,000 rows. */
export async function makePdf(
  tx: Tx,
  task: ExportTask,
  data: RecordData,
  onProgress: (percent: number) => void,
): Promise<Buffer> {
  const pages = await pagesOf(tx, task, data)
  onProgress(40)
  return drawPdf(pages, task.fontsDir)
}

/** A4, PDF/UA-1. `fontsDir`: folder with further fonts, or empty. */
export async function drawPdf(pages: Pages, fontsDir: string): Promise<Buffer> {
  const folders = [...fontFolders(), ...(fontsDir ? [fontsDir] : [])]
  const fonts = await openFonts(folders)
  const drawable = new Drawable(fonts)
  const drawn = drawable.of(pages)
  drawn.sections.push(...unknownLetters(drawable.missing))
  const { NodeCompiler } = require(pdfPackages.typst) as typeof import('@myriaddreamin/typst-ts-node-compiler')
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: folders }] })
  const compiled = compiler.compile({
    mainFileContent: await readFile(template, 'utf8'),
    inputs: { data: JSON.stringify({ ...drawn, fonts: fonts.families }) },
  })
  if (!compiled.result) throw new Error(`Typst: ${compiled.takeDiagnostics()?.compilationStatus ?? 'no result'}`)
  return compiler.pdf(compiled.result, { pdfStandard: 'ua-1' })
}
