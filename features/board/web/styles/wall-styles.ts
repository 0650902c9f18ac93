import looks from './walls.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(looks)
document.adoptedStyleSheets.push(sheet)
