import type { SafetyStatus } from '#kernel/vocabulary.ts'

/** What record.typ draws. All of it is text: nothing is read as markup. */
export interface Pages {
  title: string
  host: string
  kind: string
  kindWord: string
  recordWord: string
  headline: string
  heading: string
  subtitle: string
  result: string
  /** Stands first: the record does not match its log. Null: nothing of the kind was found. */
  trouble: string | null
  /** Below the result: outcome, signatures, and what came since. */
  standing: readonly string[]
  foot: string
  sections: Section[]
}

export interface Section {
  title: string
  parts: Part[]
}

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  /** Each with what stands right below it. */
  | { kind: 'list'; items: readonly { text: string; below: readonly string[] }[] }
  /** Widths are shares of the line, or 'auto'. */
  | { kind: 'table'; head: readonly string[]; widths: readonly string[]; rows: readonly (readonly string[])[] }
  | Chart

export interface Chart {
  kind: 'chart'
  /** For who does not see it. */
  alt: string
  caption: string
  /** What the axes measure, and three labels on each, from the left and from below. */
  across: string
  up: string
  acrossTicks: readonly string[]
  upTicks: readonly string[]
  /** From below: the word of the legend, and corners from 0 to 1, from the top left. */
  areas: { status: SafetyStatus; word: string; points: [number, number][] }[]
}

export const text = (words: string): Part => ({ kind: 'text', text: words })
export const table = (
  head: readonly string[],
  widths: readonly string[],
  rows: readonly (readonly string[])[],
): Part => (rows.length > 0 ? { kind: 'table', head, widths, rows } : text('None.'))
/** How someone stood. */
export const statusWords = { safe: 'Safe', unknown: 'Unknown', danger: 'In danger' } as const
export const count = (n: number): string => n.toLocaleString('en-AU')
