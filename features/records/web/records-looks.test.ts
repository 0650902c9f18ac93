import { expect, test } from 'vitest'
import wardens from '#web/wardens.css?inline'
import records from './parts/records.css?inline'
import replay from './replay/replay.css?inline'

const sources = import.meta.glob<string>('./**/*.tsx', { query: '?raw', import: 'default', eager: true })

/** Every word of the class names in these files: in quotes, or in a template beside what is computed. */
function classesIn(source: string): string[] {
  const named = source
    .replaceAll(/buttonClass\([^)]*\)/g, '')
    .matchAll(/className=(?:"([^"]*)"|\{([^}]*(?:\$\{[^}]*\}[^}]*)*)\})/g)
  return [...named].flatMap(([, plain, computed]) => {
    const texts = plain
      ? [plain]
      : [...(computed ?? '').matchAll(/'([^']*)'|`([^`]*)`/g)].map(([, a, b]) => a ?? b ?? '')
    return texts
      .flatMap((text) => text.replace(/\$\{.*?\}/g, ' ').split(/\s+/))
      .filter((word) => /^[a-z][\w:./[\]-]*$/.test(word))
  })
}
const hasRule = (name: string) => {
  const selector = `.${CSS.escape(name)}`
  return wardens.includes(selector) || records.includes(selector) || replay.includes(selector)
}

test("AAR-36 the looks of the records are theirs, or stand in the wardens' sheet already", () => {
  const classes = new Set(
    Object.entries(sources).flatMap(([file, source]) => (/\.(test|fixture)\./.test(file) ? [] : classesIn(source))),
  )
  expect(classes.size).toBeGreaterThan(50)

  expect([...classes].filter((name) => !hasRule(name))).toEqual([])
})
