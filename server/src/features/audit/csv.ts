/** IMP-17: what a spreadsheet takes for a formula. */
const formula = /^[=+\-@\t\r]/

/** A line of CSV (RFC 4180). A cell that a spreadsheet would compute gets an apostrophe. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
