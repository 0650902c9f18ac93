/** Edits of a recipe. Each throws if the file has no such place, so that a recipe cannot go out of date unseen. */

function place(text, anchor, file) {
  const at = text.indexOf(anchor)
  if (at < 0) throw new Error(`${file} has no '${anchor}'`)
  return at
}

export const all =
  (...edits) =>
  (text, file) =>
    edits.reduce((done, edit) => edit(done, file), text)

export const after = (anchor, added) => (text, file) => {
  const end = place(text, anchor, file) + anchor.length
  return text.slice(0, end) + added + text.slice(end)
}

export const before = (anchor, added) => (text, file) => {
  const start = place(text, anchor, file)
  return text.slice(0, start) + added + text.slice(start)
}

export const atEnd = (added) => (text) => text + added
