import { execFileSync } from 'node:child_process'

/** Debian packages that read PDFs need not be installed: a test without them is skipped. */
export const isThere = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // some of them do not know the word, and are there
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}

export const told = (program: string, ...words: string[]) =>
  `${execFileSync(program, words, { stdio: ['ignore', 'pipe', 'ignore'] })}`
