const call = /(?<![.\w])(?:test|it|describe)(?:\.\w+)*\s*(?=[(`])/g

/**
 * The titles of tests in a source text: the first argument of test, it and describe if it is a literal. For `.each` and
 * `.for` also the strings of the rows, which may be in a constant of the file. Reads brackets and strings only, without
 * a syntax tree.
 */
export function readTitles(source) {
  return [...source.matchAll(call)].flatMap((match) => {
    const start = match.index + match[0].length
    const hasRows = /\.(each|for)\s*$/.test(match[0])
    const rows = hasRows ? enclosed(source, start) : ''
    const title = firstString(source, start + rows.length)
    const found = hasRows ? [...strings(rows), ...strings(namedRows(source, rows)), title] : [title]
    return found.filter(Boolean).map((text) => ({ text, line: lineOf(source, match.index) }))
  })
}

/** `test.each(cases)`: the text of `const cases = […]`. */
function namedRows(source, rows) {
  const name = /^\s*\(\s*(\w+)\s*\)$/.exec(rows)?.[1]
  const declared = name && new RegExp(`\\bconst ${name}\\b[^=]*=\\s*(?=\\[)`).exec(source)
  return declared ? enclosed(source, declared.index + declared[0].length) : ''
}

function firstString(source, from) {
  const opening = /^\s*\(\s*/.exec(source.slice(from))
  if (!opening) return undefined
  const start = from + opening[0].length
  return isQuote(source[start]) ? source.slice(start + 1, endOfString(source, start) - 1) : undefined
}

function strings(text) {
  const found = []
  for (let index = 0; index < text.length; index++) {
    if (!isQuote(text[index])) continue
    const end = endOfString(text, index)
    found.push(text.slice(index + 1, end - 1))
    index = end - 1
  }
  return found
}

/** The bracket, or the template of a table, that opens at `start`, with its contents. */
function enclosed(source, start) {
  if (source[start] === '`') return source.slice(start, endOfString(source, start))
  let depth = 0
  for (let index = start; index < source.length; index++) {
    if (isQuote(source[index])) index = endOfString(source, index) - 1
    else if (source.startsWith('//', index)) index = endOfLine(source, index)
    else if ('([{'.includes(source[index])) depth++
    else if (')]}'.includes(source[index]) && --depth === 0) return source.slice(start, index + 1)
  }
  return source.slice(start)
}

function endOfString(source, start) {
  let index = start + 1
  while (index < source.length && source[index] !== source[start]) index += source[index] === '\\' ? 2 : 1
  return index + 1
}

function endOfLine(source, start) {
  const end = source.indexOf('\n', start)
  return end === -1 ? source.length : end
}

function lineOf(source, index) {
  return source.slice(0, index).split('\n').length
}

function isQuote(character) {
  return character === "'" || character === '"' || character === '`'
}
