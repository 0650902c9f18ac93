/** A time from one moment to another, in seconds since the start of the event. */
export interface Span {
  from: number
  to: number
}

export const lengthOf = ({ from, to }: Span) => to - from

/** The pieces of a span that are in any of the others, which do not overlap and are in order. */
export const within = (span: Span, others: readonly Span[]): Span[] =>
  others
    .map(({ from, to }) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
    .filter(({ from, to }) => from < to)

/** In order, those that overlap or touch as one. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

/** What remains of a span without the others, in order. */
export function without(span: Span, others: readonly Span[]): Span[] {
  let pieces = [span]
  for (const { from, to } of others)
    pieces = pieces.flatMap((piece) =>
      to <= piece.from || piece.to <= from
        ? [piece]
        : [
            { from: piece.from, to: from },
            { from: to, to: piece.to },
          ].filter((rest) => rest.from < rest.to),
    )
  return pieces
}
