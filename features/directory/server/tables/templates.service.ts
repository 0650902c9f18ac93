import { csvLine } from '#server/platform/csv.ts'
import type { Columns } from '../../column-kinds.ts'
import { columns, type DirectoryFile } from '../../columns.ts'
import { directoryFiles } from '../files/directory-files.ts'

/** Each file with its header and an example row, which a reader passes over for the '# ' before its first cell. */
export const templateFiles = (): { name: string; text: string }[] =>
  (Object.entries(columns) as [DirectoryFile, Columns][]).map(([key, table]) => {
    const { file, columns } = directoryFiles[key]
    // passwords are for the command alone
    const header = columns.filter((column) => column !== 'password')
    const [first = '', ...cells] = header.map((column) => table[column]?.example ?? '')
    return { name: file, text: `\ufeff${csvLine(header)}# ${csvLine([first, ...cells])}` }
  })
