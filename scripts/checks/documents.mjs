import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const without = { exclude: ['**/node_modules/**', '**/dist/**'] }
const rooms = '{check,kernel,features,server,web,e2e,bench,faults,rig,scripts,docs}'
const files = globSync([`${rooms}/**/*.*`, '*.*'], without)
const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')

/** A path is whole, relative to its document or subject, or the end of one. Capitals stand for a name to fill in. */
const isThere = (document, path) =>
  /\b(SUBJECT|NAME|NNNN)\b/.test(path) ||
  existsSync(path) ||
  existsSync(posix.join(posix.dirname(document), path)) ||
  files.some((file) => file.endsWith(`/${path}`))

/** Links of documents, and the files that they name in code type, must exist. */
const found = documents.flatMap((document) => {
  const text = readFileSync(document, 'utf8')
  const links = [...text.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)]
    .map(([, link]) => link)
    .filter((link) => !existsSync(posix.join(posix.dirname(document), link)))
  const paths = [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]*\.(?:tsx?|mjs|sql|css|json|md))`/g)]
    .map(([, path]) => path)
    .filter((path) => !isThere(document, path))
  return [...links, ...paths].map((path) => `${document} names ${path}, which is not there`)
})

/** The newest heading with a date is the version of the program. */
const newest = /^## (\d+\.\d+\.\d+), \d+ \w+ \d{4}$/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
if (newest !== version) found.push(`CHANGELOG.md is at ${newest}, package.json at ${version}`)

for (const line of found) console.error(line)
process.exitCode = found.length > 0 ? 1 : 0
