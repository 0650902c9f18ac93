import { createHash } from 'node:crypto'

/** HTML that was made by `html`: nothing else is written as it is. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | false | undefined | readonly Part[]

/** Text between the values stands as it is. Each value is escaped, unless it is Html. Lists are joined. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(strings.map((text, at) => text + (at < values.length ? written(values[at]) : '')).join(''))
}

function written(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(written).join('')
  if (part === null || part === undefined || part === false) return ''
  return String(part).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** What someone wrote: marks of writing direction end with it. */
export const words = (text: string) => html`<bdi>${text}</bdi>`

export interface PlainPageContent {
  title: string
  body: Html
  /** Rules beside those of every page. */
  style?: string
}

/**
 * A whole page for strangers: one file without script, image, font or cookie. It may be read on any phone, saved and
 * printed.
 */
export function plainPage({ title, body, style = '' }: PlainPageContent): string {
  const { text } = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(commonStyle + style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  return text
}

/** Headers of such a page: nothing is loaded or sent from it but its own form, nothing frames it, and no index keeps it. */
export function plainHeaders(style = ''): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src '${hashOf(commonStyle + style)}'`,
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    // a phone may keep the page for the dead zone, and no one between
    'cache-control': 'private, no-cache',
  }
}

const hashOf = (style: string) => `sha256-${createHash('sha256').update(style).digest('base64')}`

/** Readable from 320 px on, in both themes, and black on white on paper. */
const commonStyle = `
:root{color-scheme:light dark;--bg:#fff;--ink:#10151c;--muted:#4a5563;--line:#7a889b;--surface:#f3f5f8;--accent:#00527f;--on-accent:#fff;--danger:#c8102e}
@media (prefers-color-scheme:dark){:root{--bg:#0b0e13;--ink:#f7f9fc;--muted:#c3ccd9;--line:#7a889b;--surface:#161c25;--accent:#8fd3ff;--on-accent:#00131f;--danger:#ff8a9a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;padding:16px;max-width:820px;background:var(--bg);color:var(--ink);font:17px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:26px;line-height:1.2;margin:8px 0}
h2{font-size:20px;line-height:1.25;margin:28px 0 8px}
p{margin:8px 0}
a{color:var(--accent)}
.muted{color:var(--muted)}
label{display:block;font-weight:600;margin:16px 0 4px}
input,select,textarea{width:100%;min-height:48px;padding:8px 12px;border:2px solid var(--line);border-radius:8px;background:var(--bg);color:var(--ink);font:inherit}
button{width:100%;min-height:72px;margin:16px 0 0;padding:8px 16px;border:0;border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-size:22px;font-weight:700;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media print{:root{--bg:#fff;--ink:#000;--muted:#000;--line:#000;--surface:#fff;--accent:#000;--danger:#000}body{max-width:none;padding:0;font-size:11pt}}
`
