import type { ReportInCard } from '../calls/report-in.ts'

/** Order counts; `oauth_token` does not, for it may differ at every read. */
export function sameCards(shown: readonly ReportInCard[], fresh: readonly ReportInCard[]): boolean {
  return (
    shown.length === fresh.length &&
    shown.every((card, i) => {
      const other = fresh[i]
      return other !== undefined && sameCard(card, other)
    })
  )
}

function sameCard(a: ReportInCard, b: ReportInCard): boolean {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof ReportInCard>
  fields.delete('oauth_token')
  return [...fields].every((field) => a[field] === b[field])
}
