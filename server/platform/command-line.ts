import { version } from './version.ts'

/**
 * Handles `--help` and `--version` for every command. Prints the answer and returns true. Returns false if neither was
 * given.
 */
export function answersWords(words: readonly string[], usage: string): boolean {
  if (words.includes('--version')) console.log(`evac ${version}`)
  else if (words.includes('--help')) console.log(usage)
  else return false
  return true
}
