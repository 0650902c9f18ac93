/** One line of the doctor's report. */
export interface Finding {
  /** `fault`: Evac does not work like this. `warning`: Evac works, but should not run like this. `note`: worth knowing. */
  state: 'good' | 'note' | 'warning' | 'fault'
  what: string
}

export const good = (what: string): Finding => ({ state: 'good', what })
export const note = (what: string): Finding => ({ state: 'note', what })
export const warning = (what: string): Finding => ({ state: 'warning', what })
export const fault = (what: string): Finding => ({ state: 'fault', what })

const signs = { good: 'ok     ', note: 'note   ', warning: 'WARNING', fault: 'FAULT  ' }

/** Prints a line each. Returns the number of faults. */
export function report(findings: readonly Finding[]): number {
  for (const { state, what } of findings) console.log(`${signs[state]} ${what}`)
  return findings.filter(({ state }) => state === 'fault').length
}
