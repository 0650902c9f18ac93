import { version } from './version.ts'

/** `--help` and `--version` of every command: prints what is asked for. False when neither is. */
export function answersWords(words: readonly string[], usage: string): boolean {
  if (words.includes('--version')) console.log(`evac ${version}`)
  else if (words.includes('--help')) console.log(usage)
  else return false
  return true
}
