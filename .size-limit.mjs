import { readFileSync } from 'node:fs'

/** What a browser loads before the first screen: the built page names its scripts, their static imports and its styles. */
function firstLoad() {
  const page = readFileSync('web/dist/index.html', 'utf8')
  const tags = page.match(/<(script|link)\b[^>]*>/g) ?? []
  const loaded = tags.filter((tag) => /<script|rel="(modulepreload|stylesheet)"/.test(tag))
  const files = loaded.flatMap((tag) => /(?:src|href)="\/([^"]+\.(?:js|css))"/.exec(tag)?.[1] ?? [])
  if (files.length < 2) throw new Error('web/dist/index.html names no script and style sheet')
  return files.map((file) => `web/dist/${file}`)
}

export default [{ name: 'First load (scripts and styles)', path: firstLoad(), limit: '120 kB', gzip: true }]
