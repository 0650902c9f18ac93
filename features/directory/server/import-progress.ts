import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { hasFile } from './files/csv-folder.ts'
import { directoryFiles } from './files/directory-files.ts'

export interface ImportProgress {
  stage: 'reading' | 'checking passwords' | 'writing'
  done: number
  total: number
}
export type OnProgress = (progress: ImportProgress) => void

/** Counts the progress of a stage. Reports at most every half per cent. */
export function stageOf(stage: ImportProgress['stage'], total: number, onProgress: OnProgress) {
  let done = 0
  let told = 0
  return (count = 1) => {
    done = Math.min(done + count, total)
    if (told === total || (done < total && done - told < total / 200)) return
    told = done
    onProgress({ stage, done, total })
  }
}

/** The approximate number of rows: lines without headers, ignoring quotes. */
export async function countLines(folder: string): Promise<number> {
  let lines = 0
  for (const format of Object.values(directoryFiles)) {
    if (!hasFile(folder, format)) continue
    lines--
    for await (const bytes of createReadStream(join(folder, format.file)) as AsyncIterable<Buffer>)
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  }
  return lines
}
