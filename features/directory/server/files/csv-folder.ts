import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { withoutApostrophe } from '#server/platform/csv.ts'
import { directoryFiles, type FileFormat } from './directory-files.ts'
import { decode, firstBadLine, firstBytes, isSpreadsheet, isUtf8File, utf16In } from './encodings.ts'
import type { Problems } from './problems.ts'
import type { FoundDocument, RowSource, SourceRow } from './row-source.ts'

const knownFiles: readonly string[] = Object.values(directoryFiles).map(({ file }) => file)

/** Reports a missing folder, and files with a misspelt name, whose rows would be ignored silently. */
export function checkFolder(folder: string, problems: Problems) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return problems.add(folder, 0, '', 'is not a folder')
  if (!hasFile(folder, directoryFiles.organisation)) problems.add('organisation.csv', 0, '', 'is missing')
  for (const name of readdirSync(folder)) {
    if (/\.csv$/i.test(name) && !knownFiles.includes(name))
      problems.add(name, 0, '', `is not a file of this format; known files are ${knownFiles.join(', ')}`)
  }
}

/** Told of each file that is no UTF-8 and is read as Windows-1252, with up to three cells. None of a plan. */
export type OnWindows = (file: string, samples: string[]) => void

/** Told of each row as it stands in its file, with the headings above it. */
export type OnRecord = (
  row: { file: string; line: number },
  cells: readonly string[],
  header: readonly string[],
) => void

/** The files of a folder. Without `onWindows` a file that is no UTF-8 is a problem. */
export const folderSource = (folder: string, onWindows?: OnWindows, onRecord?: OnRecord): RowSource => ({
  has: (format) => hasFile(folder, format),
  rows: (format, problems) => readRows(folder, format, problems, onWindows, onRecord),
  findDocument: (name) => findDocument(folder, name),
})

export function hasFile(folder: string, { file }: FileFormat): boolean {
  return existsSync(join(folder, file))
}

/**
 * Streams the rows of a file (RFC 4180 with comma, semicolon or tab; UTF-8 with or without BOM, UTF-16 with one). A line
 * `sep=;`, titles above the headings and columns without a heading are passed over. Unreadable files go to `problems`.
 */
export async function* readRows(
  folder: string,
  format: FileFormat,
  problems: Problems,
  onWindows?: OnWindows,
  onRecord?: OnRecord,
): AsyncGenerator<SourceRow> {
  const { file } = format
  let lastLine = 0
  const beginning = firstBytes(join(folder, file))
  if (isSpreadsheet(beginning)) return problems.addUnreadable(file, 0, '', 'is a spreadsheet: Save it as CSV first.')
  const encoding =
    utf16In(beginning) ?? (onWindows && !(await isUtf8File(join(folder, file))) ? 'windows-1252' : 'utf-8')
  const samples: string[] = []
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_records_with_empty_values: true,
    delimiter: delimiterOf(new TextDecoder(encoding).decode(beginning), format),
    max_record_size: longestRow,
    // called during parsing: after an error, rows read ahead are lost, and the faulty row follows the last one
    on_record: (record, { lines }) => {
      lastLine = lines
      return record
    },
  })
  const source = Readable.from(decode(join(folder, file), encoding), { objectMode: false })
  source.on('error', (error) => parser.destroy(error))
  let header: string[] | undefined
  const titles: { record: string[]; line: number }[] = []
  try {
    for await (const { record: cells, info } of source.pipe(parser) as AsyncIterable<ParsedRecord>) {
      const line = info.lines - cells.join('').split('\n').length + 1
      const record = withoutEmptyEnd(cells, header?.length ?? 0)
      if (header && !isExample(record)) onRecord?.({ file, line }, record, header)
      if (!header && isSeparatorLine(record)) continue
      if (!header) {
        titles.push({ record, line })
        if (!isHeader(format, record, titles.length) && titles.length < mostTitles) continue
        header = readHeader(format, isHeader(format, record, titles.length) ? { record, line } : titles[0], problems)
        if (!header) return
      } else if (record.length !== header.length) {
        problems.addUnreadableRow(
          file,
          line,
          '',
          `has ${record.length} cells where the header names ${header.length} columns`,
        )
      } else if (!isExample(record)) {
        refuseUnnamed(format, header, { record, line }, problems)
        if (encoding === 'windows-1252' && samples.length < 3)
          samples.push(...record.filter(hasAccent).slice(0, 3 - samples.length))
        const named = header.map((column, i) => [column, withoutApostrophe(record[i] ?? '')] as const)
        yield { file, line, cells: Object.fromEntries(named.filter(([column]) => !isPassedOver(column))) }
      }
    }
    if (!header && titles[0]) readHeader(format, titles[0], problems)
    else if (!header) problems.addUnreadable(file, 0, '', 'is empty: the first line must name the columns')
    if (encoding === 'windows-1252') onWindows?.(file, format === directoryFiles.peeps ? [] : samples)
  } catch (error) {
    if (error instanceof CsvError)
      problems.addUnreadable(file, lastLine + 1, '', plainReasons[error.code] ?? error.message)
    else if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      problems.addUnreadable(
        file,
        firstBadLine(join(folder, file)),
        '',
        'is not UTF-8 text; save the file as "CSV UTF-8"',
      )
    else throw error
  } finally {
    source.destroy()
  }
}

/** Characters of a row, above any valid one. */
const longestRow = 100_000
const hasAccent = (text: string) => /[\u0080-\uffff]/.test(text)

/** The headings stand in one of so many first rows, below titles. */
const mostTitles = 10

/** What a spreadsheet writes above all for other spreadsheets. */
const isSeparatorLine = ([first = '']: readonly string[]) => /^\ufeff?sep=/i.test(first)

/** The first row if it names a column of ours; below titles one that names all that are needed. */
function isHeader({ columns, required }: FileFormat, record: readonly string[], nth: number): boolean {
  const names = record.map((name) => name.trim())
  if (nth === 1 && names.some((name) => columns.includes(name))) return true
  return required.length > 0 && required.every((name) => names.includes(name))
}

/** Without the empty cells that a spreadsheet adds to a row, down to so many. */
function withoutEmptyEnd(record: string[], least: number): string[] {
  const last = record.findLastIndex((cell) => cell.trim() !== '')
  return record.slice(0, Math.max(last + 1, least))
}

function refuseUnnamed(
  { file, passesOver }: FileFormat,
  header: readonly string[],
  { record, line }: { record: readonly string[]; line: number },
  problems: Problems,
) {
  if (passesOver) return
  for (const [n, name] of header.entries())
    if (name === '' && record[n]?.trim())
      problems.add(file, line, `${n + 1}`, 'is a cell in a column without a heading')
}

/** What separates most of the known names in the line that has most of them. */
function delimiterOf(text: string, { columns }: FileFormat): string {
  const lines = text.split(/\r\n|\r|\n/, mostTitles + 1)
  const known = (delimiter: string) =>
    Math.max(
      ...lines.map(
        (line) =>
          line.split(delimiter).filter((name) => columns.includes(name.replace(/^\ufeff|"/g, '').trim())).length,
      ),
    )
  return [',', ';', '\t'].toSorted((a, b) => known(b) - known(a))[0] ?? ','
}

/** Types that browsers or office programs open. None of them runs code. */
const extensions = ['.pdf', '.png', '.jpg', '.jpeg', '.txt', '.docx', '.xlsx', '.pptx', '.odt', '.ods']

/** False also for a name that no file can have, such as one longer than the system allows. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Absolute path of a file inside the folder, after following links. */
function findDocument(folder: string, name: string): FoundDocument {
  const path = join(folder, name)
  if (/^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/.test(name)) return { problem: 'must be a path inside the folder' }
  if (!isFile(path)) return { problem: 'is not there' }
  if (!realpathSync(path).startsWith(realpathSync(folder) + sep)) return { problem: 'must be a path inside the folder' }
  return extensions.includes(extname(path).toLowerCase())
    ? { path }
    : { problem: `is not one of ${extensions.join(' ')}` }
}

/** The example row of a template. */
const isExample = ([first]: readonly string[]) => first?.startsWith('# ') ?? false

/** The heading above the reasons in a file of rows that were left out. */
export const reasonHeading = 'left_out_because'
const isPassedOver = (heading: string) => heading === '' || heading === reasonHeading

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

const mostColumns = 100

/** Column names in file order. Undefined, with all reasons reported, if the header is unusable. */
function readHeader(
  format: FileFormat,
  { record, line }: { record: string[]; line: number } = { record: [], line: 1 },
  problems: Problems,
): string[] | undefined {
  const header = record.map((name) => name.trim())
  const known = format.columns
  const before = problems.list.length
  if (header.length > mostColumns) {
    problems.addUnreadable(format.file, line, '', `names ${header.length} columns; known are ${known.join(', ')}`)
    return undefined
  }
  if (!header.some((name) => known.includes(name))) {
    // a file without header: a message would quote a name, a password or a PEEP as a column name
    problems.addUnreadable(
      format.file,
      line,
      '',
      `is not a header: a header names the columns, from ${known.join(', ')}`,
    )
    return undefined
  }
  for (const [i, name] of header.entries()) {
    if (isPassedOver(name) || (format.passesOver && !known.includes(name))) continue
    if (header.indexOf(name) < i) problems.addUnreadable(format.file, line, name, 'is named twice in the header')
    else if (!known.includes(name))
      problems.addUnreadable(format.file, line, name, `is not a column of this file; known are ${known.join(', ')}`)
  }
  for (const name of format.required) {
    if (!header.includes(name)) problems.addUnreadable(format.file, line, name, 'is missing in the header')
  }
  return problems.list.length === before ? header : undefined
}

const plainReasons: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: `a row is longer than ${longestRow.toLocaleString('en')} characters, or a quote is not closed`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_INVALID_CLOSING_QUOTE:
    'a closing quote is followed by something other than a comma; double any quote inside a cell',
  INVALID_OPENING_QUOTE: 'there is a quote inside a cell that is not quoted; quote the whole cell and double the quote',
}
