import { readFileSync } from 'node:fs'

const page = readFileSync('web/dist/index.html', 'utf8')

/** The built page names its scripts, their static imports and its styles: what every first visit loads. */
function program() {
  const tags = page.match(/<(script|link)\b[^>]*>/g) ?? []
  const loaded = tags.filter((tag) => /<script|rel="(modulepreload|stylesheet)"/.test(tag))
  const files = loaded.flatMap((tag) => /(?:src|href)="\/([^"]+\.(?:js|css))"/.exec(tag)?.[1] ?? [])
  if (files.length < 2) throw new Error('web/dist/index.html names no script and style sheet')
  return files
}

/** What stands on the page before the first sight of this screen, from nothing: the program, and the screen's own files. */
function firstVisit(screen) {
  const own = JSON.parse(/<meta name="page-files" content='([^']+)'/.exec(page)?.[1] ?? '{}')[screen]?.files
  if (!own?.length) throw new Error(`web/dist/index.html names no files of ${screen}`)
  return {
    name: `First visit to ${screen} (scripts and styles)`,
    path: [...program(), ...own].map((file) => `web/dist/${file}`),
    limit: '120 kB',
    gzip: true,
  }
}

export default [firstVisit('/login'), firstVisit('/floor/evacuation')]
