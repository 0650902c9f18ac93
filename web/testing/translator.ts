/**
 * What a browser's translator does to a page: each text is put into an element of its own, which React does not know. Text
 * that React draws anew into an element with other children is then lost.
 */
export function translatePage(root: Element = document.body): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts.filter(({ data }) => data.trim() !== '')) {
    const own = document.createElement('font')
    own.textContent = text.data
    text.replaceWith(own)
  }
}
