/** For styles that the wardens' first load stays without: the content security policy allows no style element. */
export function addStyles(css: string) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
