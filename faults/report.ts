import type { Broken, Evidence, Verdict } from './checks/verdict.ts'
import { type Fault, type History, outcomeOf } from './evidence/history.ts'

const shown = 3
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)

export const lineOf = ({ kind, startedAt, endedAt, recoveredIn, lastPart }: Fault): string => {
  const lasted = `${((endedAt - startedAt) / 1000).toFixed(1)} s`
  const recovered =
    recoveredIn === null ? 'DOES NOT SERVE AGAIN' : `serves again after ${(recoveredIn / 1000).toFixed(1)} s`
  return `${clock(startedAt)}  ${kind.padEnd(28)} ${lasted.padStart(6)}  ${recovered}${lastPart && ` (last: ${lastPart})`}`
}

/** Two tables: the faults, and the verdict on each invariant. */
export function summaryOf(
  { writes, reads, boards, copies, listenings, gaps, faults }: History,
  verdicts: readonly Verdict[],
): string {
  const outcomes = Map.groupBy(writes, outcomeOf)
  const count = (outcome: 'ok' | 'fail' | 'unknown') => outcomes.get(outcome)?.length ?? 0
  const tries = writes.reduce((sum, write) => sum + write.tries.length, 0)
  const unanswered = writes.reduce(
    (sum, write) => sum + write.tries.filter((one) => one.outcome === 'unknown').length,
    0,
  )
  const kinds = Map.groupBy(faults, ({ kind }) => kind)
  const slowest = Math.max(0, ...faults.map(({ recoveredIn }) => recoveredIn ?? Number.POSITIVE_INFINITY))
  return [
    '',
    `${writes.length} writes in ${tries} tries: ${count('ok')} acknowledged, ${count('fail')} refused, ${count('unknown')} unknown in the end; ${unanswered} tries without an answer`,
    `${reads} reads, of which ${boards.length} boards, ${copies.length} texts at the provider, ${listenings.length} subscriptions, ${gaps.length} gaps that were told of`,
    `${faults.length} faults, the slowest recovery ${(slowest / 1000).toFixed(1)} s:`,
    ...[...kinds].sort().map(([kind, { length }]) => `  ${String(length).padStart(4)}  ${kind}`),
    '',
    ...verdicts.map(({ id, promise, checked, broken }) => {
      const verdict = broken.length === 0 ? (checked === 0 ? 'UNSEEN' : 'kept') : `BROKEN ${broken.length}`
      return `${verdict.padEnd(10)} ${id.padEnd(3)} ${String(checked).padStart(7)} checks  ${promise}`
    }),
  ].join('\n')
}

/** The first violations, each with the tries, journal entries, texts and faults around it. */
export function storyOf({ broken, id }: Verdict, evidence: Evidence): string {
  return broken
    .slice(0, shown)
    .map((one) => `\n${id}: ${one.what}\n${aboutOf(one, evidence)}`)
    .join('\n')
}

function aboutOf({ subject }: Broken, { history, state }: Evidence): string {
  if (!subject) return ''
  const lines: [number, string][] = []
  for (const write of history.writes.filter(({ key, subject: about }) => key === subject || about === subject))
    for (const { startedAt, endedAt, outcome, code } of write.tries)
      lines.push([
        startedAt,
        `${write.who}: ${write.kind} ${write.wanted ?? ''} → ${outcome} ${code} (${endedAt - startedAt} ms, key ${write.key.slice(0, 8)})`,
      ])
  for (const { subjectUid, eventUid, key, recordedAt, action, before, after, xid } of state.journal)
    if (key === subject || subjectUid === subject || eventUid === subject)
      lines.push([
        recordedAt / 1000,
        `journal ${xid}: ${action} ${JSON.stringify(before)} → ${JSON.stringify(after)} (key ${key?.slice(0, 8) ?? '-'})`,
      ])
  const text = state.texts.find(({ uid }) => uid === subject)
  if (text) lines.push([text.createdAt / 1000, `text ${text.kind} to ${text.to}: ${text.status}, "${text.body}"`])
  for (const { to, body, at } of history.copies)
    if (text && to === text.to) lines.push([at, `the provider takes "${body}"`])
  lines.sort(([a], [b]) => a - b)
  const first = lines.at(-14)?.[0] ?? lines[0]?.[0] ?? Number.POSITIVE_INFINITY
  const last = lines.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY
  for (const { kind, startedAt, endedAt } of history.faults)
    if (endedAt >= first - 15_000 && startedAt <= last)
      lines.push([startedAt, `fault: ${kind}, until ${clock(endedAt)}`])
  return lines
    .sort(([a], [b]) => a - b)
    .slice(-20)
    .map(([at, line]) => `  ${clock(at)}  ${line}`)
    .join('\n')
}
