import { expect, test } from 'vitest'
import { asFile } from '../exports.fixture.ts'
import { drawPdf } from './make-pdf.ts'
import { isPdfInstalled, pdfPackages } from './pdf-packages.ts'
import { pagesWith } from './pdf-pages.fixture.ts'
import { isThere, told } from './pdf-tools.fixture.ts'

const names = ['Hēmi Tāmaki', 'محمد علي', '😀', '=cmd()', '#eval("x")', '</script>', '\u{e0fff}']
test('AAR-39 without its optional packages a server makes no PDF', () => {
  const { typst } = pdfPackages
  try {
    pdfPackages.typst = '@myriaddreamin/is-not-there'
    expect(isPdfInstalled()).toBe(false)
  } finally {
    pdfPackages.typst = typst
  }
})

test.skipIf(!isPdfInstalled())(
  'AAR-39 a PDF is tagged as PDF/UA-1, has an outline and a language, and is A4; no name stops it',
  async () => {
    const pdf = (await drawPdf(pagesWith(names), '')).toString('latin1')

    expect(pdf.slice(0, 8)).toBe('%PDF-1.7')
    expect(pdf).toMatch(/pdfuaid:part(="|>)1/)
    for (const part of ['/StructTreeRoot', '/Outlines', '/Lang', '/Marked true']) expect(pdf).toContain(part)
  },
)

test.skipIf(!isPdfInstalled() || !['pdftotext', 'pdfinfo', 'qpdf'].every(isThere))(
  'AAR-39 other programs read the PDF: its structure, its names as they were written, and what no font could draw',
  async () => {
    using pdf = asFile(await drawPdf(pagesWith(names), ''), 'record.pdf')
    const text = told('pdftotext', pdf.path, '-')
    const structure = told('pdfinfo', '-struct', pdf.path)
    expect(told('pdfinfo', pdf.path)).toMatch(/Tagged: +yes[\s\S]*A4/)
    for (const each of ['H1', 'H2', 'Table', 'Figure']) expect(structure).toContain(each)
    for (const each of [
      'Hēmi Tāmaki',
      '=cmd()',
      '#eval("x")',
      '</script>',
      '□',
      'U+1F600',
      'page 1 of 1',
      'Log head 1000',
      'DRILL',
      'Record 14',
    ])
      expect(text).toContain(each)
    expect(told('qpdf', '--check', pdf.path)).toContain('No syntax')
    // the figure says what it shows
    expect(told('qpdf', '--qdf', '--object-streams=disable', pdf.path, '-')).toContain('/Alt (People over time')
  },
)
