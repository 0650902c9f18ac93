/** What stands with every log head. */
export const headProves =
  'With this head the checker shows later whether an entry up to it was changed, removed, added or reordered. It does not prove that what people recorded was true.'

/** The last sentence of each mail with a log head. */
export const keepMail = 'Keep this mail. It can show later whether this record was changed.'

/** Of rows of the journal that were never sealed. */
export const strayWords = (count: number): string =>
  count === 1
    ? 'The database holds 1 entry that is not in the log. It is left out.'
    : `The database holds ${count} entries that are not in the log. They are left out.`

/** Stands first where something does not fit. `found`: the day and time at the site. */
export const troubleWords = (trouble: string, found: string): string =>
  `This record does not match its log. ${trouble} Found on ${found}. Keep every log head you have, and tell the person who runs the server.`

/** Of a log that was found to be as it was sealed. */
export const checkedWords = (entries: number, checked: string): string =>
  `Checked on ${checked}: ${entries.toLocaleString('en-AU')} entries, as logged.`

/** Of an entry whose row was changed. */
export const notAsLogged = 'This entry is not what was logged.'

interface Opened {
  serial?: unknown
  previous?: unknown
}

/** Of the first entry of a log. The log before it is named if only its head is left. */
export function openedWords(after: Opened | null): string {
  const { gone, serial, size, root } = (after?.previous ?? {}) as Readonly<Record<string, unknown>>
  const lost = gone === true ? `. Log ${serial} is not here: its head was ${size} ${root}.` : ''
  return `Opened log ${after?.serial}${lost}`
}

/** Of an entry that says where a head was sent. */
export const headMailedWords = (after: { size?: unknown; root?: unknown; addresses?: unknown } | null): string =>
  `Mailed the log head ${after?.size} ${after?.root} to ${after?.addresses === 1 ? '1 address' : `${after?.addresses} addresses`}`

const whyErased: Readonly<Record<string, string>> = {
  messages: 'the days of messages were over',
  event: 'the days of the event were over',
  audit: 'the days of the audit log were over',
  person: 'a person was erased',
}

/** Of an entry that says which lines are erased. */
export const erasedWords = (after: { file?: unknown; count?: unknown; why?: unknown } | null): string =>
  `Erased ${after?.count} lines of ${after?.file}: ${whyErased[String(after?.why)] ?? after?.why}`
