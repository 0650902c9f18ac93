import poster from './poster.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(poster)
document.adoptedStyleSheets.push(sheet)
