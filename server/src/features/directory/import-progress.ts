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

/** Counts one stage up to its total, and tells it no more often than every half per cent. */
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

/** About how many rows there are to read: lines but the headers, without looking for quotes. */
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
