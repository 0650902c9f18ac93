import type { ImportProgress } from './import-progress.ts'

/** Smaller imports finish too soon for a progress bar. */
const fewestRows = 1_000
const width = 30

interface Terminal {
  isTTY?: boolean
  write(text: string): unknown
}

/** Redraws one line on a terminal. In a log it writes a line every ten per cent. */
export function progressBar(out: Terminal, rows = fewestRows) {
  let told = ''
  return ({ stage, done, total }: ImportProgress) => {
    if (total <= rows) return
    const percent = Math.floor((done / total) * 100)
    const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
    if (out.isTTY) {
      const bar = '█'.repeat(Math.floor((percent / 100) * width)).padEnd(width, '░')
      out.write(`\r\u001b[K${bar} ${percent} % ${stage}, ${counts}${percent === 100 ? '\n' : ''}`)
    } else if (told !== `${stage} ${Math.floor(percent / 10)}`) {
      told = `${stage} ${Math.floor(percent / 10)}`
      out.write(`${stage} ${percent} %, ${counts}\n`)
    }
  }
}
