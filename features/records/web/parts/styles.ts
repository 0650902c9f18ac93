import looks from './records.css?inline'

// The wardens' first load stays without these looks, and the content security policy allows no style element.
const sheet = new CSSStyleSheet()
sheet.replaceSync(looks)
document.adoptedStyleSheets.push(sheet)
