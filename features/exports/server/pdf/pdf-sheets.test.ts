import { expect, test } from 'vitest'
import { asFile } from '../exports.fixture.ts'
import { drawPdf } from './make-pdf.ts'
import { isPdfInstalled } from './pdf-packages.ts'
import { pagesWith } from './pdf-pages.fixture.ts'
import { type Section, table } from './pdf-parts.ts'
import { isThere, told } from './pdf-tools.fixture.ts'

const canRead = isPdfInstalled() && isThere('pdftotext')

async function sheetsOf(sections: Section[]) {
  using pdf = asFile(await drawPdf({ ...pagesWith([]), sections }, ''), 'record.pdf')
  const layout = told('pdftotext', '-layout', pdf.path, '-')
  return layout.split('\f').slice(0, -1)
}

test.skipIf(!canRead)(
  'REC2-21 a section begins on a new sheet only if its heading and two rows do not fit',
  async () => {
    // one section after the other begins a little lower on its sheet
    const sections = Array.from({ length: 80 }, (_, nth) => ({
      title: `Section ${nth}.`,
      parts: [
        table(
          ['Row'],
          ['1'],
          Array.from({ length: 2 + (nth % 5) }, (__, row) => [`row ${row} of ${nth}.`]),
        ),
      ],
    }))
    const sheets = await sheetsOf(sections)

    expect(sheets.length).toBeGreaterThan(5)
    for (const sheet of sheets)
      for (const [, nth] of sheet.matchAll(/Section (\d+)\./g)) expect(sheet).toContain(`row 1 of ${nth}.`)
    // of all but the last the foot is near what stands last: no sheet is left half empty
    const rows = sheets.slice(0, -1).map((sheet) => sheet.match(/row \d+ of \d+\./g)?.length ?? 0)
    expect(Math.min(...rows)).toBeGreaterThan(Math.max(...rows) * 0.6)
  },
)

test.skipIf(!canRead)('REC2-21 a word of over 24 letters breaks anywhere, and is read as it was written', async () => {
  const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenmacherei'
  const rows = [[word, 'beside']]
  const [sheet] = await sheetsOf([{ title: 'Names', parts: [table(['What', 'Who'], ['1', '2'], rows)] }])

  expect(sheet).not.toContain(word)
  const left = sheet?.split('\n').flatMap((line) => line.trim().split(/ {2,}/)[0] ?? []) ?? []
  expect(left.join('')).toContain(word)
})
