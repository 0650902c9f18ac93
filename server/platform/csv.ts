/** What a spreadsheet takes for a formula, in either width, what imports take for an example row, and what already has an apostrophe. */
const misread = /^'*([=+\-@\t\r＝＋－＠]|# )/
/** A mobile such as '+61 491 000 001', and a whole number: spreadsheets do them no harm. */
const harmless = /^(\+[\d ]+|-\d+)$/

/** A line of CSV (RFC 4180). A cell that a spreadsheet would compute, or an import pass over, gets an apostrophe. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(text: string): string {
  const plain = misread.test(text) && !harmless.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** The cell without the apostrophe that `csvLine` has put before it. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && misread.test(cell) ? cell.slice(1) : cell
