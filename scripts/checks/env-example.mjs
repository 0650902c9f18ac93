// Prints .env.example: the table of settings in README.md as a file to copy. `npm test` compares both.
import { readFileSync } from 'node:fs'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const [, settings = ''] = readme.split('\n## Settings\n')
const rows = [...(settings.split('\n## ')[0] ?? '').matchAll(/^\| (`[A-Z][^|]*) \| ([^|]*) \|\s*([^|]*?)\s*\|$/gm)]

/** Without the marks of Markdown. */
const plain = (text) =>
  text
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '$1: $2')
    .replaceAll('`', '')
    .trim()

function wrapped(text) {
  const lines = ['#']
  for (const word of text.split(/\s+/)) {
    if (`${lines.at(-1)} ${word}`.length > 110) lines.push('#')
    lines[lines.length - 1] += ` ${word}`
  }
  return lines
}

const lines = [
  '# Copy this file to .env, take the # from the settings that you need, and give each a value.',
  '# Settings of the environment win. In production NODE_ENV, APP_URL and SECRET_KEY are needed.',
]
for (const [, names, meaning, usual] of rows) {
  const otherwise = plain(usual)
  lines.push('', ...wrapped(plain(meaning) + (otherwise ? `. Default: ${otherwise}` : '')))
  for (const [, name] of names.matchAll(/`([A-Z_]+)`/g)) lines.push(`#${name}=`)
}
console.log(lines.join('\n'))
